/** Why a file does not come. */
export type FileFault = 'gone' | 'lapsed' | 'unreachable'

/** The beginning of a file, as bytes. */
export type FileBeginning = { readonly bytes: Uint8Array; readonly isCut: boolean }

const NOT_FOUND = 404
const NO_SUCH_PART = 416
const PART = 206

/** Statuses of an address that was good once: whoever asks again with a new one may be answered. */
const LAPSED: readonly number[] = [401, 403, 409]

/** A signed address goes with the cookie and without the token; what is kept of it must not answer for the server. */
async function ask(address: string, init: RequestInit): Promise<Response | FileFault> {
  const answer = await fetch(address, { credentials: 'same-origin', ...init }).then(
    (found) => found,
    () => undefined,
  )
  if (answer === undefined) return 'unreachable'
  if (answer.ok || answer.status === NO_SUCH_PART) return answer
  if (answer.status === NOT_FOUND) return 'gone'
  return LAPSED.includes(answer.status) ? 'lapsed' : 'unreachable'
}

/** Asks why a file does not come; undefined where it does. */
export async function findFileFault(address: string, signal: AbortSignal): Promise<FileFault | undefined> {
  const answer = await ask(address, { method: 'HEAD', cache: 'no-store', signal })
  return typeof answer === 'string' ? answer : undefined
}

/** Reads the first bytes of a file, at most so many. */
export async function readBeginning(
  address: string,
  mostBytes: number,
  signal: AbortSignal,
): Promise<FileBeginning | FileFault> {
  const answer = await ask(address, { headers: { range: `bytes=0-${mostBytes - 1}` }, signal })
  if (typeof answer === 'string') return answer
  // An empty file has no part at all.
  if (answer.status === NO_SUCH_PART) return { bytes: new Uint8Array(), isCut: false }
  const body = await answer.arrayBuffer().then(
    (read) => new Uint8Array(read),
    () => undefined,
  )
  if (body === undefined) return 'unreachable'
  const whole = answer.status === PART ? Number(answer.headers.get('content-range')?.split('/')[1]) : body.length
  return { bytes: body.subarray(0, mostBytes), isCut: whole > mostBytes }
}
