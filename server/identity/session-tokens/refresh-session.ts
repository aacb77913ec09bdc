import { type RefreshDecision, type SessionKind, decideRefresh } from '#domain/sessions/session.ts'
import type { ThrottleRule } from '#domain/sessions/login-throttle.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { endReusedSession, type EndReusedSessionDeps } from '#server/identity/sessions/end-reused-session.ts'
import { isSomebodyElse, userChanged } from '#server/identity/sign-in/authenticate.ts'
import { checkRefreshToken, isOutdatedRefreshToken, type PresentedRefresh, parseRefreshToken } from './refresh-token.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'
import { clientAddressKey } from '#server/platform/http/client-address.ts'
import type { AttemptCounter } from '#server/identity/attempts/attempt-counter.ts'
import { makeTokens, type Tokens } from '#server/identity/sessions/start-session.ts'
import {
  findSession,
  markSuccessorSeen,
  rotateRefreshToken,
  type StoredSession,
} from '#server/identity/sessions/store.ts'

/** What is given to refresh. `expectedUserId`: who the page shows, when it says so. */
export type RefreshAttempt = {
  readonly token: string
  /** How the token came; a session takes only its own form. */
  readonly kind: SessionKind
  readonly expectedUserId?: string | undefined
  /** Where from, for the audit log. */
  readonly address: string
}

/**
 * Attempts with tokens that were never issued. They cannot be guessed; the delays protect the server and stay short,
 * since an office may share one address and hold cookies of a workspace that was set up again.
 */
export const REFRESH_ATTEMPT_RULES = {
  address: { freeFailures: 30, maxWaitSeconds: 60 },
} as const satisfies { readonly [counter: string]: ThrottleRule }

/** Dependencies of refreshing: notifications about token reuse, and a counter of forged tokens. */
export type RefreshDeps = SessionDeps & EndReusedSessionDeps & { readonly refreshTries: AttemptCounter<'address'> }

/** Why a refresh is refused. `reused` and `ended` end the session. */
export type RefreshFault = 'reused' | 'ended' | 'invalid' | 'other-user'

/** The result of a refresh. `isHeldAlready`: the client holds the current refresh token, which stays. */
export type Refreshed = Tokens & { readonly isHeldAlready: boolean }

/**
 * Gives a new access token for a refresh token and, unless that was made a moment ago, the next refresh token.
 * Throws when too many forged ones came from this address; a token that was given out is never made to wait.
 */
export async function refresh(deps: RefreshDeps, attempt: RefreshAttempt): Promise<Result<Refreshed, RefreshFault>> {
  const presented = await findPresented(deps, attempt)
  if (presented === 'forged') {
    await deps.refreshTries.count({ address: clientAddressKey(attempt.address) })
    return fail('invalid')
  }
  // It was given out once, so it does not count as guessing; it refreshes nothing any more.
  if (presented === 'retired') return fail('ended')

  // A stolen token ends the session, and that must be stored: so nothing is thrown inside the transaction.
  const outcome = await deps.database.write((transaction) => applyRefresh(transaction, deps, attempt, presented))
  if (!outcome.ok) return outcome
  const tokens = await makeTokens(deps, outcome.value)
  return ok({ ...tokens, isHeldAlready: presented.counter === outcome.value.counter })
}

/** The token taken apart, if it is authentic; no forgery gets as far as a transaction. */
async function findPresented(
  { database, keys }: RefreshDeps,
  { token, kind }: RefreshAttempt,
): Promise<PresentedRefresh | 'retired' | 'forged'> {
  const presented = parseRefreshToken(token)
  if (presented === undefined) return isOutdatedRefreshToken(token) ? 'retired' : 'forged'
  const session = await findSession(database.read, presented.sessionId)
  if (session?.kind !== kind) return 'forged'
  const authenticity = checkRefreshToken(keys, presented, session)
  return authenticity === 'authentic' ? presented : authenticity
}

async function applyRefresh(
  transaction: Transaction,
  deps: RefreshDeps,
  attempt: RefreshAttempt,
  presented: PresentedRefresh,
): Promise<Result<StoredSession, RefreshFault>> {
  const { db } = transaction
  const session = await findSession(db, presented.sessionId)
  if (session === undefined) return fail('invalid')
  if (isSomebodyElse(session.userId, attempt.expectedUserId)) return fail('other-user')
  const now = deps.clock()
  const decided: RefreshDecision = session.user.isDisabled ? 'ended' : decideRefresh(session, presented.counter, now)
  switch (decided) {
    case 'repeat':
      return ok(session)
    case 'current':
      // The successor has arrived, so a holder of the previous token is someone else.
      if (!session.isSuccessorSeen) await markSuccessorSeen(db, session.id, session.counter)
      return ok(session)
    case 'rotate': {
      const isFirst = await rotateRefreshToken(db, session, now)
      // A concurrent request has created the successor of this token: it is the same one.
      if (!isFirst) return ok((await findSession(db, session.id)) ?? session)
      return ok({ ...session, counter: session.counter + 1 })
    }
    case 'reused':
      await endReusedSession(transaction, deps, session, attempt.address)
      return fail('reused')
    case 'ended':
      return fail(decided)
  }
}

/** The problem that goes with a refusal. */
export function refreshProblem(fault: RefreshFault): Problem {
  switch (fault) {
    case 'reused':
      return new Problem('refresh-reused', 'You were signed out because your session token was reused. Sign in again.')
    case 'ended':
      return new Problem('session-ended', 'This session has ended. Sign in again.')
    case 'invalid':
      return new Problem('refresh-invalid', 'Invalid refresh token. Sign in again.')
    case 'other-user':
      return userChanged()
  }
}
