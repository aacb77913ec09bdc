import { refresh } from '#api/sessions.ts'
import type { TokenAnswer } from '#api/sessions.ts'
import { type Exchange, exchange } from './exchange.ts'
import { heldTokenOf, type SessionState, sessionState } from './session-state.ts'

/** `refused`: the server will not renew it, the session is over. `unreachable`: nobody knows yet, it stays. */
export type RefreshOutcome = 'renewed' | 'refused' | 'unreachable' | 'overtaken'

type Needs = {
  readonly state: SessionState
  readonly exchange: Exchange
  readonly now: () => number
  /** Lets one tab after the other renew; a tab that waits too long goes on alone, for the server bears duplicates. */
  readonly oneTabAtATime: <Answer>(work: () => Promise<Answer>) => Promise<Answer>
  /** Another person's session answered: the page must start anew. */
  readonly onOtherSession: () => void
}

const isTokenAnswer = (body: unknown): body is TokenAnswer =>
  typeof body === 'object' && body !== null && 'token' in body && typeof body.token === 'string'

/** Makes the one way to renew the access token; however many ask at once, one request goes out. */
export function createRefreshSession({ state, exchange: send, now, oneTabAtATime, onOtherSession }: Needs) {
  let underWay: { readonly epoch: number; readonly outcome: Promise<RefreshOutcome> } | undefined

  async function askServer(epoch: number): Promise<RefreshOutcome> {
    const before = state.token()
    const exchanged = await oneTabAtATime(() =>
      send({
        method: refresh.method,
        path: refresh.path,
        headers: { 'x-requested-with': 'dossier' },
        answer: 'json',
      }),
    )
    if (epoch !== state.epoch()) return 'overtaken'
    if (!exchanged.ok) {
      const { status } = exchanged.failure
      const isRefused = status === 400 || status === 401 || status === 403
      if (isRefused) state.reset('expired')
      return isRefused ? 'refused' : 'unreachable'
    }
    if (!isTokenAnswer(exchanged.body)) return 'unreachable'
    const token = heldTokenOf(exchanged.body, now())
    if (before && before.sessionId !== token.sessionId) {
      onOtherSession()
      return 'overtaken'
    }
    return state.keepToken(epoch, token) ? 'renewed' : 'overtaken'
  }

  return function refreshSession(): Promise<RefreshOutcome> {
    const epoch = state.epoch()
    if (underWay?.epoch === epoch) return underWay.outcome
    const begun = {
      epoch,
      outcome: askServer(epoch).finally(() => (underWay = underWay === begun ? undefined : underWay)),
    }
    underWay = begun
    return begun.outcome
  }
}

/** A tab waits this long for the others; their locks may be orphaned, and rightness never depends on them. */
const LOCK_WAIT_MS = 3000

async function oneTabAtATime<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  // Browsers have locks only on https and on this very machine.
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

/** Renews this tab's access token. */
export const refreshSession: () => Promise<RefreshOutcome> = createRefreshSession({
  state: sessionState,
  exchange,
  now: () => Date.now(),
  oneTabAtATime,
  onOtherSession: () => window.location.reload(),
})
