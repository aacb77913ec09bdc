import { createHash } from 'node:crypto'

/** How a file is sent: in chunks by tus or FilePond, or in a form. */
export type Dialect = 'tus' | 'filepond' | 'form'

export type Transfer = {
  readonly dialect: Dialect
  readonly bytes: Buffer
  /** Set once the server has returned the ID. */
  id: string | undefined
  /** The offset that the server has acknowledged. */
  acknowledged: number
  /** The current step; `ending` means that the last bytes are being sent and the file is being completed. */
  phase: 'idle' | 'sending' | 'ending'
  isDone: boolean
}

/** The server and token for an upload. */
export type UploadTarget = { readonly url: string; readonly token: string }

const TARGET = 'collection=plans&field=files'

/** A file that isn't being sent yet. */
export const newTransfer = (dialect: Dialect, bytes: Buffer): Transfer => ({
  dialect,
  bytes,
  id: undefined,
  acknowledged: 0,
  phase: 'idle',
  isDone: false,
})

/** SHA-256 of a file, in hex. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const headersOf = ({ token }: UploadTarget, { dialect }: Pick<Transfer, 'dialect'>): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(dialect === 'tus' && { 'tus-resumable': '1.0.0' }),
})

const addressOf = ({ url }: UploadTarget, { dialect, id }: Transfer): string =>
  dialect === 'tus' ? `${url}/api/tus/${id}` : `${url}/api/uploads?patch=${id}`

async function demand(answer: Response, status: number): Promise<Response> {
  if (answer.status === status) return answer
  throw new Error(`The server returned ${answer.status}: ${await answer.text()}`)
}

/** Starts an upload; for an empty file, also completes it. */
async function setOut(environment: UploadTarget, transfer: Transfer): Promise<void> {
  const { dialect, bytes } = transfer
  transfer.phase = bytes.length === 0 ? 'ending' : 'sending'
  const path = dialect === 'tus' ? '/api/tus' : '/api/uploads'
  const answer = await fetch(`${environment.url}${path}?${TARGET}`, {
    method: 'POST',
    headers: { ...headersOf(environment, transfer), 'upload-length': String(bytes.length) },
  })
  await demand(answer, 201)
  transfer.id = dialect === 'tus' ? answer.headers.get('location')?.split('/').at(-1) : await answer.text()
  transfer.isDone = bytes.length === 0
}

async function sendForm(environment: UploadTarget, transfer: Transfer): Promise<void> {
  const form = new FormData()
  form.append('filepond', new Blob([new Uint8Array(transfer.bytes)]), 'file.bin')
  transfer.phase = 'ending'
  const answer = await fetch(`${environment.url}/api/uploads?${TARGET}`, {
    method: 'POST',
    headers: headersOf(environment, transfer),
    body: form,
  })
  await demand(answer, 201)
  transfer.id = await answer.text()
  transfer.isDone = true
}

/** Requests the offset. */
async function ask(environment: UploadTarget, transfer: Transfer): Promise<number> {
  const answer = await fetch(addressOf(environment, transfer), {
    method: 'HEAD',
    headers: headersOf(environment, transfer),
  })
  await demand(answer, 200)
  return Number(answer.headers.get('upload-offset'))
}

/**
 * Resumes at the server's offset and sends the rest in chunks of `chunkBytes`. Returns how many acknowledged bytes were
 * lost, which must be zero.
 */
export async function travel(environment: UploadTarget, transfer: Transfer, chunkBytes: () => number): Promise<number> {
  if (transfer.dialect === 'form') {
    await sendForm(environment, transfer)
    return 0
  }
  let lost = 0
  if (transfer.id === undefined) await setOut(environment, transfer)
  else {
    transfer.phase = 'ending'
    const offset = await ask(environment, transfer)
    lost = Math.max(0, transfer.acknowledged - offset)
    transfer.acknowledged = offset
    transfer.isDone = offset === transfer.bytes.length
  }
  while (!transfer.isDone) await sendChunk(environment, transfer, chunkBytes())
  transfer.phase = 'idle'
  return lost
}

async function sendChunk(environment: UploadTarget, transfer: Transfer, length: number): Promise<void> {
  const { bytes, acknowledged } = transfer
  const end = Math.min(bytes.length, acknowledged + length)
  transfer.phase = end === bytes.length ? 'ending' : 'sending'
  const answer = await fetch(addressOf(environment, transfer), {
    method: 'PATCH',
    headers: {
      ...headersOf(environment, transfer),
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(acknowledged),
    },
    body: new Uint8Array(bytes.subarray(acknowledged, end)),
  })
  await demand(answer, 204)
  transfer.acknowledged = end
  transfer.isDone = end === bytes.length
}
