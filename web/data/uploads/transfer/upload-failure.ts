import { UPLOAD } from '#domain/specification.ts'
import { t } from '#web/i18n/t.ts'

/** How one try to send failed. */
export type SendFailure =
  | {
      readonly is: 'refused'
      /** What was asked: to begin, how far it is, or to take bytes. */
      readonly asked: 'create' | 'look' | 'chunk'
      readonly status: number
      /** The server's own sentence where it gave one. */
      readonly detail: string | null
      readonly retryAfterMs: number | null
    }
  /** No answer came. */
  | { readonly is: 'cut' }
  /** The browser could not read the file. */
  | { readonly is: 'unreadable' }
  /** The session is over, or could not be renewed. */
  | { readonly is: 'session-over' }

/** What becomes of a file after a try in vain. */
export type FailureAction =
  | { readonly do: 'wait'; readonly ms: number }
  /** Until the server can be reached again. */
  | { readonly do: 'await-server' }
  | { readonly do: 'renew-token' }
  /** The server has let go of what was sent in an earlier visit. */
  | { readonly do: 'start-anew' }
  | { readonly do: 'ask-for-file' }
  | { readonly do: 'hold' }
  | { readonly do: 'fail'; readonly why: string }

/** There is no such upload, or not any more. */
const UNKNOWN = [404, 410]

/** Refusals that may pass: a conflict of places, a lock, too early, too many. */
const TRANSIENT_STATUSES = [408, 409, 423, 425, 429, 460]

/** Errors of a server that no repetition mends. */
const PERMANENT_STATUSES = [501, 505, 507, 508]

/** Somebody in the server's place says that it is away, or the server that something it needs is. */
const UNAVAILABLE_STATUSES = [502, 503, 504]

/** What our server says instead to whoever asks how far a file is, because tus clients would begin anew. */
const LOCKED = 423

/** A server that asks for more patience than this is not waited for without a word, in ms. */
const MAX_RETRY_AFTER_MS = 5 * 60_000

const BROKEN_OFF = t(
  'The server failed several times. Nothing is lost; try again to continue where the upload stopped.',
)
const REJECTED = t('The server rejected this file, or you can no longer add files here.')

/** Judges a failure after `tries` repetitions in vain since the last byte that was taken. */
export function classifyFailure(failure: SendFailure, tries: number): FailureAction {
  switch (failure.is) {
    case 'unreadable':
      return { do: 'ask-for-file' }
    case 'session-over':
      return { do: 'hold' }
    case 'cut':
      return retryAfter(tries, 0) ?? { do: 'await-server' }
    case 'refused':
      return classifyRejection(failure, tries)
  }
}

type Rejection = Extract<SendFailure, { is: 'refused' }>

function classifyRejection(refusal: Rejection, tries: number): FailureAction {
  const { status, asked, detail, retryAfterMs } = refusal
  if (status === 401) return { do: 'renew-token' }
  if (asked === 'look' && UNKNOWN.includes(status)) return { do: 'start-anew' }
  if (!isTransient(status)) return { do: 'fail', why: detail ?? REJECTED }
  const waitMs = retryAfterMs ?? 0
  const again = waitMs > MAX_RETRY_AFTER_MS ? undefined : retryAfter(tries, waitMs)
  if (again) return again
  return isAway(refusal) && waitMs <= MAX_RETRY_AFTER_MS
    ? { do: 'await-server' }
    : { do: 'fail', why: detail ?? BROKEN_OFF }
}

const isAway = ({ asked, status }: Rejection): boolean =>
  UNAVAILABLE_STATUSES.includes(status) || (asked === 'look' && status === LOCKED)

const isTransient = (status: number): boolean =>
  status >= 500 ? !PERMANENT_STATUSES.includes(status) : TRANSIENT_STATUSES.includes(status) || status < 400

/** The specification's waits, or longer where the server asks for it. */
function retryAfter(tries: number, atLeastMs: number): FailureAction | undefined {
  const ms = UPLOAD.chunkRetryDelaysMs[tries]
  return ms === undefined ? undefined : { do: 'wait', ms: Math.max(ms, atLeastMs) }
}
