import { authorization, renew } from './session.ts'

type Request = {
  getMethod(): string
  getHeader(name: string): string | undefined
  setHeader(name: string, value: string): void
}
type Response = { getStatus(): number }

/** Statuses of the 4xx that pass: token renewed, somebody else writes, too much asked at once, bytes changed on their way. */
const PASSING = [401, 409, 423, 429, 460]

/** Whether a refusal may be gone with the next try. */
export const isPassing = (status: number): boolean => status < 400 || status >= 500 || PASSING.includes(status)

/** Signs a request with the token as it is now. */
export const signRequest = (request: Request): void => request.setHeader('authorization', authorization())

/** Signs a request, and says of a chunk what its bytes add up to. */
export const signAndSum = (file: File, chunkBytes: number) => async (request: Request) => {
  signRequest(request)
  if (request.getMethod() !== 'PATCH') return
  const from = Number(request.getHeader('Upload-Offset'))
  const sum = await crypto.subtle.digest('SHA-1', await file.slice(from, from + chunkBytes).arrayBuffer())
  request.setHeader('upload-checksum', `sha1 ${btoa(String.fromCharCode(...new Uint8Array(sum)))}`)
}

/**
 * Renews a token that was too old. tus-js-client takes every refusal of HEAD for the end of that upload and begins anew
 * at its first byte, also what a proxy says while the server restarts; an error that is thrown here it tries again.
 */
export async function lookAtResponse(request: Request, response: Response): Promise<void> {
  const status = response.getStatus()
  if (status === 401) await renew()
  if (request.getMethod() === 'HEAD' && status >= 400 && isPassing(status)) throw new Error(`HEAD said ${status}.`)
}
