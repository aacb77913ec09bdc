import { refresh, type TokenResponse } from '#api/sessions.ts'
import { type CallError, isProblemCode } from '#web/data/api/call-error.ts'
import {
  CSRF_HEADER,
  EXPECTED_USER,
  type RequestResult,
  type SendRequest,
  sendRequest,
} from '#web/data/api/send-request.ts'
import { delayAfterTries } from '#web/data/connection/connection-state.ts'
import { accessTokenOf, reloadPage, type SessionState, sessionState, signedInUserId } from './session-state.ts'
import { tokenUserId } from './token-claims.ts'

/**
 * Maximum time in ms to wait for other tabs, because their locks can be orphaned. Correctness doesn't depend on locks.
 */
const LOCK_WAIT_MS = 3000

/** Runs the function while no other tab is running it; after a short wait, runs it anyway. */
async function withTabLock<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  // The Web Locks API requires HTTPS or localhost.
  const locks = 'locks' in navigator ? navigator.locks : undefined
  if (!locks) return work()
  let free: () => void = () => undefined
  const finished = new Promise<void>((resolve) => (free = resolve))
  const isHeld = await new Promise<boolean>((resolve) => {
    locks
      .request('dossier.refresh', { signal: AbortSignal.timeout(LOCK_WAIT_MS) }, () => {
        resolve(true)
        return finished
      })
      .then(undefined, () => resolve(false))
  })
  return work().finally(() => (isHeld ? free() : undefined))
}

/**
 * `refused`: the session has ended. `unreachable`: the session may still be valid, so it is kept. `nobody`: there is no
 * session, and no request was sent.
 */
export type RefreshOutcome = 'renewed' | 'refused' | 'unreachable' | 'overtaken' | 'nobody'

type RefreshDeps = {
  readonly state: SessionState
  readonly exchange: SendRequest
  readonly now: () => number
  /** Serializes refreshes across tabs; a tab that has waited too long continues without the lock. */
  readonly oneTabAtATime: <Answer>(work: () => Promise<Answer>) => Promise<Answer>
  /** Called if the response belongs to another user's session; the page must then reload. */
  readonly onOtherUser: () => void
}

/** Maximum time in ms for which a temporary failure is cached; calls within that time fail immediately. */
const MAX_FAILURE_CACHE_MS = 30_000

/** Statuses for a permanently rejected session. */
const FINAL_CODES = [400, 401, 403]

const isFinalError = ({ code, status }: CallError) => isProblemCode(code) && FINAL_CODES.includes(status)

const isTokenAnswer = (body: unknown): body is TokenResponse =>
  typeof body === 'object' && body !== null && 'token' in body && typeof body.token === 'string'

const SUPERSEDED = 'overtaken'

/** Caches a temporary refresh failure, so that a page with many requests contacts an unreachable server only once. */
function createFailureCache(now: () => number) {
  let last = { epoch: 0, count: 0, untilMs: 0 }
  return {
    holds: (epoch: number) => last.epoch === epoch && now() < last.untilMs,
    remember(epoch: number, { retryAfterSeconds = 0 }: CallError) {
      const before = last.epoch === epoch ? last.count : 0
      const waitMs = Math.min(MAX_FAILURE_CACHE_MS, Math.max(retryAfterSeconds * 1000, delayAfterTries(before)))
      last = { epoch, count: before + 1, untilMs: now() + waitMs }
    },
    /** Allows the next refresh immediately. `isOver`: the refresh succeeded, so the back-off is reset too. */
    forget(isOver: boolean) {
      last = { ...last, count: isOver ? 0 : last.count, untilMs: 0 }
    },
  }
}

/** Refreshes the access token; concurrent callers share one request. */
export function createRefreshSession({ state, exchange: send, now, oneTabAtATime: inTurn, onOtherUser }: RefreshDeps) {
  let underWay: { readonly epoch: number; readonly outcome: Promise<RefreshOutcome> } | undefined
  const memory = createFailureCache(now)

  function sendRefresh(): Promise<RequestResult> {
    const { user } = state.get()
    const headers = { ...CSRF_HEADER, ...(user && { [EXPECTED_USER]: signedInUserId(user) }) }
    return send({ method: refresh.method, path: refresh.path, headers, answer: 'json' })
  }

  function takeFailure(epoch: number, failure: CallError): RefreshOutcome {
    if (failure.code === 'user-changed') {
      onOtherUser()
      return SUPERSEDED
    }
    if (!isFinalError(failure)) {
      memory.remember(epoch, failure)
      state.fail('refreshToken', failure)
      return 'unreachable'
    }
    state.reset(failure.code === 'refresh-reused' ? 'ended-for-safety' : 'expired')
    state.fail('refreshToken', failure)
    return 'refused'
  }

  /** Checks the epoch before and after the request, so that a refresh can't undo a sign-out. */
  async function askServer(epoch: number): Promise<RefreshOutcome> {
    const exchanged = await inTurn(async () => (epoch === state.epoch() ? sendRefresh() : undefined))
    if (exchanged === undefined || epoch !== state.epoch()) return SUPERSEDED
    if (!exchanged.ok) return takeFailure(epoch, exchanged.failure)
    if (!isTokenAnswer(exchanged.body)) return 'unreachable'
    const { user } = state.get()
    const owner = tokenUserId(exchanged.body.token)
    if (user && owner !== undefined && owner !== signedInUserId(user)) {
      onOtherUser()
      return SUPERSEDED
    }
    memory.forget(true)
    return state.keepToken(epoch, accessTokenOf(exchanged.body, now())) ? 'renewed' : SUPERSEDED
  }

  async function refreshSession(): Promise<RefreshOutcome> {
    const epoch = state.epoch()
    if (state.get().status === 'signed-out' && !state.token()) return 'nobody'
    if (underWay?.epoch === epoch) return underWay.outcome
    if (memory.holds(epoch)) return 'unreachable'
    const begun = {
      epoch,
      outcome: askServer(epoch).finally(() => (underWay = underWay === begun ? undefined : underWay)),
    }
    underWay = begun
    return begun.outcome
  }

  return {
    refreshSession,
    forgetFailures: () => memory.forget(false),
  }
}

export const { refreshSession, forgetFailures } = createRefreshSession({
  state: sessionState,
  exchange: sendRequest,
  now: () => Date.now(),
  oneTabAtATime: withTabLock,
  onOtherUser: () => reloadPage(sessionState),
})
