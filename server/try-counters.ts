import { FACTOR_RULES, PASSKEY_RULES } from '#domain/sessions/challenge.ts'
import { LOGIN_RULES } from '#domain/sessions/login-throttle.ts'
import type { Clock } from '#domain/shared/clock.ts'
import type { Database } from './database/database.ts'
import { BEGIN_RULES } from './providers/provider-needs.ts'
import { REFRESH_RULES } from './sessions/refresh.ts'
import { openTryCounter, openTryMemory } from './sessions/try-counter.ts'
import { SETUP_RULES } from './setup/setup-gate.ts'
import { CODE_TRIES } from './users/accept-invitation.ts'
import { PASSWORD_TRIES } from './users/change-password.ts'
import { RESET_TRIES } from './users/reset-desk.ts'

/** Every counter of failed tries there is, in one memory; each has a name of its own there. */
export type TryCounters = ReturnType<typeof openTryCounters>

/** Opens all counters of failed tries. */
export function openTryCounters(database: Database, clock: Clock) {
  const memory = openTryMemory(database, clock)
  return {
    signIn: openTryCounter(memory, 'sign-in', LOGIN_RULES),
    refresh: openTryCounter(memory, 'refresh', REFRESH_RULES),
    factor: openTryCounter(memory, 'factor', FACTOR_RULES),
    passkey: openTryCounter(memory, 'passkey', PASSKEY_RULES),
    provider: openTryCounter(memory, 'provider', BEGIN_RULES),
    password: openTryCounter(memory, 'password', PASSWORD_TRIES),
    code: openTryCounter(memory, 'code', CODE_TRIES),
    reset: openTryCounter(memory, 'reset', RESET_TRIES),
    setUp: openTryCounter(memory, 'set-up', SETUP_RULES),
  }
}
