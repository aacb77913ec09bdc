import { FACTOR_RULES, PASSKEY_RULES } from '#domain/sessions/challenge.ts'
import { LOGIN_RULES } from '#domain/sessions/login-throttle.ts'
import type { Clock } from '#domain/shared/clock.ts'
import type { Database } from './platform/database/database.ts'
import { BEGIN_RULES } from './identity/providers/provider-deps.ts'
import { REFRESH_ATTEMPT_RULES } from './identity/session-tokens/refresh-session.ts'
import { openAttemptCounter, openAttemptStore } from './identity/attempts/attempt-counter.ts'
import { SETUP_ATTEMPT_RULES } from './identity/setup/routes.ts'
import { CODE_ATTEMPT_RULES } from './identity/invitations/accept-invitation.ts'
import { PASSWORD_ATTEMPT_RULES } from './identity/passwords/change-password.ts'
import { RESET_ATTEMPT_RULES } from './identity/passwords/reset-requests.ts'

export type AttemptCounters = ReturnType<typeof openAttemptCounters>

/** Opens all counters of failed attempts on one shared store. */
export function openAttemptCounters(database: Database, clock: Clock) {
  const memory = openAttemptStore(database, clock)
  return {
    signIn: openAttemptCounter(memory, 'sign-in', LOGIN_RULES),
    refresh: openAttemptCounter(memory, 'refresh', REFRESH_ATTEMPT_RULES),
    factor: openAttemptCounter(memory, 'factor', FACTOR_RULES),
    passkey: openAttemptCounter(memory, 'passkey', PASSKEY_RULES),
    provider: openAttemptCounter(memory, 'provider', BEGIN_RULES),
    password: openAttemptCounter(memory, 'password', PASSWORD_ATTEMPT_RULES),
    code: openAttemptCounter(memory, 'code', CODE_ATTEMPT_RULES),
    reset: openAttemptCounter(memory, 'reset', RESET_ATTEMPT_RULES),
    setUp: openAttemptCounter(memory, 'set-up', SETUP_ATTEMPT_RULES),
  }
}
