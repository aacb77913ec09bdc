/** Why a file does not come. */
export type FileError = 'gone' | 'lapsed' | 'unreachable'

/** The beginning of a file, as bytes. */
export type FileStart = { readonly bytes: Uint8Array; readonly isCut: boolean }

const NOT_FOUND = 404
const RANGE_NOT_SATISFIABLE = 416
const PARTIAL_CONTENT = 206

/** Statuses of an address that was good once: whoever asks again with a new one may be answered. */
const EXPIRED_STATUSES: readonly number[] = [401, 403, 409]

/** A signed address goes with the cookie and without the token; what is kept of it must not answer for the server. */
async function fetchFile(address: string, init: RequestInit): Promise<Response | FileError> {
  const answer = await fetch(address, { credentials: 'same-origin', ...init }).then(
    (found) => found,
    () => undefined,
  )
  if (answer === undefined) return 'unreachable'
  if (answer.ok || answer.status === RANGE_NOT_SATISFIABLE) return answer
  if (answer.status === NOT_FOUND) return 'gone'
  return EXPIRED_STATUSES.includes(answer.status) ? 'lapsed' : 'unreachable'
}

/** Asks why a file does not come; undefined where it does. */
export async function checkFile(address: string, signal: AbortSignal): Promise<FileError | undefined> {
  const answer = await fetchFile(address, { method: 'HEAD', cache: 'no-store', signal })
  return typeof answer === 'string' ? answer : undefined
}

/** Reads the first bytes of a file, at most so many. */
export async function readFileStart(
  address: string,
  mostBytes: number,
  signal: AbortSignal,
): Promise<FileStart | FileError> {
  const answer = await fetchFile(address, { headers: { range: `bytes=0-${mostBytes - 1}` }, signal })
  if (typeof answer === 'string') return answer
  // An empty file has no part at all.
  if (answer.status === RANGE_NOT_SATISFIABLE) return { bytes: new Uint8Array(), isCut: false }
  const body = await answer.arrayBuffer().then(
    (read) => new Uint8Array(read),
    () => undefined,
  )
  if (body === undefined) return 'unreachable'
  const whole =
    answer.status === PARTIAL_CONTENT ? Number(answer.headers.get('content-range')?.split('/')[1]) : body.length
  return { bytes: body.subarray(0, mostBytes), isCut: whole > mostBytes }
}
