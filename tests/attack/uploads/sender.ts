import { createHash } from 'node:crypto'

/** How a file is sent: in chunks, by tus or FilePond, or in a form. */
export type Dialect = 'tus' | 'filepond' | 'form'

export type Journey = {
  readonly dialect: Dialect
  readonly bytes: Buffer
  /** Known once the server returned it. */
  id: string | undefined
  /** The acknowledged offset. */
  acknowledged: number
  /** The current step; `ending`: the last bytes are being sent and the file completed. */
  phase: 'idle' | 'sending' | 'ending'
  isDone: boolean
}

/** Its destination. */
export type Ground = { readonly url: string; readonly token: string }

const TARGET = 'collection=plans&field=files'

/** A file that is not being sent yet. */
export const aJourney = (dialect: Dialect, bytes: Buffer): Journey => ({
  dialect,
  bytes,
  id: undefined,
  acknowledged: 0,
  phase: 'idle',
  isDone: false,
})

/** SHA-256 of a file, in hex. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const headersOf = ({ token }: Ground, { dialect }: Pick<Journey, 'dialect'>): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(dialect === 'tus' && { 'tus-resumable': '1.0.0' }),
})

const addressOf = ({ url }: Ground, { dialect, id }: Journey): string =>
  dialect === 'tus' ? `${url}/api/tus/${id}` : `${url}/api/uploads?patch=${id}`

async function demand(answer: Response, status: number): Promise<Response> {
  if (answer.status === status) return answer
  throw new Error(`The server returned ${answer.status}: ${await answer.text()}`)
}

/** Starts an upload; that of an empty file is complete. */
async function setOut(environment: Ground, journey: Journey): Promise<void> {
  const { dialect, bytes } = journey
  journey.phase = bytes.length === 0 ? 'ending' : 'sending'
  const path = dialect === 'tus' ? '/api/tus' : '/api/uploads'
  const answer = await fetch(`${environment.url}${path}?${TARGET}`, {
    method: 'POST',
    headers: { ...headersOf(environment, journey), 'upload-length': String(bytes.length) },
  })
  await demand(answer, 201)
  journey.id = dialect === 'tus' ? answer.headers.get('location')?.split('/').at(-1) : await answer.text()
  journey.isDone = bytes.length === 0
}

async function sendForm(environment: Ground, journey: Journey): Promise<void> {
  const form = new FormData()
  form.append('filepond', new Blob([new Uint8Array(journey.bytes)]), 'file.bin')
  journey.phase = 'ending'
  const answer = await fetch(`${environment.url}/api/uploads?${TARGET}`, {
    method: 'POST',
    headers: headersOf(environment, journey),
    body: form,
  })
  await demand(answer, 201)
  journey.id = await answer.text()
  journey.isDone = true
}

/** Requests the offset. */
async function ask(environment: Ground, journey: Journey): Promise<number> {
  const answer = await fetch(addressOf(environment, journey), {
    method: 'HEAD',
    headers: headersOf(environment, journey),
  })
  await demand(answer, 200)
  return Number(answer.headers.get('upload-offset'))
}

/**
 * Continues at the server's offset to the end, in chunks of `chunkBytes`. Returns how many acknowledged bytes were
 * lost, which must be none.
 */
export async function travel(environment: Ground, journey: Journey, chunkBytes: () => number): Promise<number> {
  if (journey.dialect === 'form') {
    await sendForm(environment, journey)
    return 0
  }
  let lost = 0
  if (journey.id === undefined) await setOut(environment, journey)
  else {
    journey.phase = 'ending'
    const offset = await ask(environment, journey)
    lost = Math.max(0, journey.acknowledged - offset)
    journey.acknowledged = offset
    journey.isDone = offset === journey.bytes.length
  }
  while (!journey.isDone) await sendChunk(environment, journey, chunkBytes())
  journey.phase = 'idle'
  return lost
}

async function sendChunk(environment: Ground, journey: Journey, length: number): Promise<void> {
  const { bytes, acknowledged } = journey
  const end = Math.min(bytes.length, acknowledged + length)
  journey.phase = end === bytes.length ? 'ending' : 'sending'
  const answer = await fetch(addressOf(environment, journey), {
    method: 'PATCH',
    headers: {
      ...headersOf(environment, journey),
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(acknowledged),
    },
    body: new Uint8Array(bytes.subarray(acknowledged, end)),
  })
  await demand(answer, 204)
  journey.acknowledged = end
  journey.isDone = end === bytes.length
}
