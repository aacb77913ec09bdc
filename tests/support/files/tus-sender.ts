import { request as httpRequest } from 'node:http'
import type { Caller } from '#tests/support/server/test-app.ts'

/** A tus client that sends single requests over real connections. */
export type TusSender = {
  /** Creates an upload and returns the response. */
  readonly create: (
    query: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>>,
  ) => Promise<Response>
  /** Creates an upload and returns its ID. */
  readonly begin: (
    target: Readonly<Record<string, string>>,
    bytes: number,
    name?: string,
    type?: string,
  ) => Promise<string>
  readonly patch: (id: string, offset: number, bytes: Uint8Array) => Promise<Response>
  readonly head: (id: string) => Promise<Response>
  readonly remove: (id: string) => Promise<Response>
  /** Requests the offset and sends the remaining bytes; retries if the offset changed in the meantime. */
  readonly resume: (id: string, whole: Uint8Array) => Promise<Response>
  /** Sends part of a chunk and then disconnects. */
  readonly cut: (id: string, offset: number, announced: number, bytes: Uint8Array) => Promise<void>
  /** Uploads a small file; returns the upload ID. */
  readonly send: (
    target: Readonly<Record<string, string>>,
    bytes: Uint8Array,
    name?: string,
    type?: string,
  ) => Promise<string>
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** A client for this server that is signed in as this user. */
export function tusSender(url: string, caller: Pick<Caller, 'token'>): TusSender {
  const common = {
    'tus-resumable': '1.0.0',
    ...(caller.token === undefined ? {} : { authorization: `Bearer ${caller.token}` }),
  }
  const chunk = { ...common, 'content-type': 'application/offset+octet-stream' }
  const address = (id: string): string => `${url}/api/tus/${id}`

  const create: TusSender['create'] = (query, headers) =>
    fetch(`${url}/api/tus?${new URLSearchParams(query).toString()}`, {
      method: 'POST',
      headers: { ...common, ...headers },
    })
  const begin: TusSender['begin'] = async (target, bytes, name = 'file.bin', type = '') => {
    const metadata = `filename ${base64(name)},filetype ${base64(type)}`
    const answer = await create(target, { 'upload-length': String(bytes), 'upload-metadata': metadata })
    if (answer.status !== 201) throw new Error(`The upload was refused: ${await answer.text()}`)
    return answer.headers.get('location')?.split('/').at(-1) ?? ''
  }
  const patch: TusSender['patch'] = (id, offset, bytes) =>
    fetch(address(id), {
      method: 'PATCH',
      headers: { ...chunk, 'upload-offset': String(offset) },
      body: Buffer.from(bytes),
    })
  const head: TusSender['head'] = (id) => fetch(address(id), { method: 'HEAD', headers: common })
  return {
    create,
    begin,
    patch,
    head,
    remove: (id) => fetch(address(id), { method: 'DELETE', headers: common }),
    resume: async (id, whole) => {
      for (;;) {
        const offset = Number((await head(id)).headers.get('upload-offset'))
        const answer = await patch(id, offset, whole.subarray(offset))
        if (answer.status !== 409) return answer
      }
    },
    cut: async (id, offset, announced, bytes) => {
      const headers = { ...chunk, 'upload-offset': String(offset), 'content-length': String(announced) }
      const sending = httpRequest(address(id), { method: 'PATCH', headers })
      const closed = new Promise<void>((resolve) => sending.on('close', resolve))
      // Destroying the request emits an error event.
      sending.on('error', () => undefined)
      sending.write(bytes, () => sending.destroy())
      await closed
    },
    send: async (target, bytes, name, type) => {
      const id = await begin(target, bytes.length, name, type)
      if (bytes.length === 0) return id
      const answer = await patch(id, 0, bytes)
      if (answer.status !== 204) throw new Error(`The bytes were refused: ${await answer.text()}`)
      return id
    },
  }
}
