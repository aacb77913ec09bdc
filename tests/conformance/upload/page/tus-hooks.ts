import { authorization, renew } from './session.ts'

type Request = {
  getMethod(): string
  getHeader(name: string): string | undefined
  setHeader(name: string, value: string): void
}
type Response = { getStatus(): number }

/** Temporary 4xx statuses: expired token, locked upload, rate limit, checksum mismatch. */
const TEMPORARY_STATUSES = [401, 409, 423, 429, 460]

/** Whether an automatic retry may succeed. */
export const isPassing = (status: number): boolean =>
  status < 400 || status >= 500 || TEMPORARY_STATUSES.includes(status)

/** Adds the current access token to a request. */
export const signRequest = (request: Request): void => request.setHeader('authorization', authorization())

/** Adds the access token to a request, and a checksum to a chunk. */
export const signAndSum = (file: File, chunkBytes: number) => async (request: Request) => {
  signRequest(request)
  if (request.getMethod() !== 'PATCH') return
  const from = Number(request.getHeader('Upload-Offset'))
  const sum = await crypto.subtle.digest('SHA-1', await file.slice(from, from + chunkBytes).arrayBuffer())
  request.setHeader('upload-checksum', `sha1 ${btoa(String.fromCharCode(...new Uint8Array(sum)))}`)
}

/**
 * Refreshes an expired token. tus-js-client treats every HEAD error as a missing upload and restarts from zero, even if
 * a proxy returned the error during a server restart; errors thrown here are retried.
 */
export async function lookAtResponse(request: Request, response: Response): Promise<void> {
  const status = response.getStatus()
  if (status === 401) await renew()
  if (request.getMethod() === 'HEAD' && status >= 400 && isPassing(status)) throw new Error(`HEAD returned ${status}.`)
}
