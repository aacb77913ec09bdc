import { type RefreshDecision, type SessionKind, decideRefresh } from '#domain/sessions/session.ts'
import type { ThrottleRule } from '#domain/sessions/login-throttle.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { endReusedSession, type EndReusedSessionDeps } from '#server/identity/sessions/end-reused-session.ts'
import { isSomebodyElse, userChanged } from '#server/identity/sign-in/authenticate.ts'
import { checkRefreshToken, isOutdatedRefreshToken, type PresentedRefresh, parseRefreshToken } from './refresh-token.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'
import { clientAddressKey } from '#server/platform/http/client-connection.ts'
import type { AttemptCounter } from '#server/identity/attempts/attempt-counter.ts'
import { makeTokens, type Tokens } from '#server/identity/sessions/start-session.ts'
import {
  findSession,
  markSuccessorSeen,
  rotateRefreshToken,
  type StoredSession,
} from '#server/identity/sessions/store.ts'

/** `expectedUserId`: the user shown on the page, if sent. */
export type RefreshAttempt = {
  readonly token: string
  /** How the token was sent; must match the session type. */
  readonly kind: SessionKind
  readonly expectedUserId?: string | undefined
  readonly address: string
}

/**
 * Limits refresh attempts with tokens that were never issued. Tokens can't be guessed, so the delays only limit the
 * load. They are short, because an office may share one IP address and have cookies from an earlier installation.
 */
export const REFRESH_ATTEMPT_RULES = {
  address: { freeFailures: 30, maxWaitSeconds: 60 },
} as const satisfies { readonly [counter: string]: ThrottleRule }

export type RefreshDeps = SessionDeps & EndReusedSessionDeps & { readonly refreshTries: AttemptCounter<'address'> }

/** Why a refresh was rejected. `reused` and `ended` mean that the session has ended. */
export type RefreshFault = 'reused' | 'ended' | 'invalid' | 'other-user'

/** `isHeldAlready`: the client already has the current refresh token, so none is sent. */
export type Refreshed = Tokens & { readonly isHeldAlready: boolean }

/**
 * Issues a new access token and, unless one was just issued, the next refresh token. Throws after too many forged
 * tokens from this address; issued tokens are never delayed.
 */
export async function refresh(deps: RefreshDeps, attempt: RefreshAttempt): Promise<Result<Refreshed, RefreshFault>> {
  const presented = await findPresented(deps, attempt)
  if (presented === 'forged') {
    await deps.refreshTries.count({ address: clientAddressKey(attempt.address) })
    return fail('invalid')
  }
  // A retired token was issued by us, so it doesn't count as a guess, but it can no longer be used to refresh.
  if (presented === 'retired') return fail('ended')

  // A reused token ends the session. This change must be committed, so the transaction must not throw.
  const outcome = await deps.database.write((transaction) => applyRefresh(transaction, deps, attempt, presented))
  if (!outcome.ok) return outcome
  const tokens = await makeTokens(deps, outcome.value)
  return ok({ ...tokens, isHeldAlready: presented.counter === outcome.value.counter })
}

/** Returns the parsed token if it is authentic, so that forged tokens never start a transaction. */
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
      // The client has the latest token, so any further use of the previous one counts as reuse.
      if (!session.isSuccessorSeen) await markSuccessorSeen(db, session.id, session.counter)
      return ok(session)
    case 'rotate': {
      const isFirst = await rotateRefreshToken(db, session, now)
      // A concurrent request has already created the successor of this token, so the same one is returned.
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
