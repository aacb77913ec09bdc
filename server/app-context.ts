import { SETUP_ATTEMPT_RULES } from './identity/setup/routes.ts'
import { RESET_ATTEMPT_RULES } from '#server/identity/passwords/reset-password.ts'
import { FACTOR_RULES, PASSKEY_RULES } from '#domain/sessions/second-factors.ts'
import { LOGIN_RULES } from '#domain/sessions/login-throttle.ts'
import { BEGIN_RULES } from './identity/providers/provider-deps.ts'
import { REFRESH_ATTEMPT_RULES } from './identity/session-tokens/refresh-session.ts'
import { openAttemptCounter, openAttemptStore } from './identity/attempts/attempt-counter.ts'
import { CODE_ATTEMPT_RULES } from './identity/invitations/accept-invitation.ts'
import { PASSWORD_ATTEMPT_RULES } from './identity/passwords/change-password.ts'
import type { Logger } from 'pino'
import type { Clock } from '#domain/shared/time.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import type { ChangeFeed } from './platform/events/change-feed.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Database } from './platform/database/database.ts'
import type { KeyRing } from './platform/crypto/key-ring.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import type { OverrideGrants, RightsOf } from './access/rights/rights.ts'
import type { AccessRulesCache } from './access/rights/access-rules-cache.ts'
import type { RemoteClient } from './files/remote/remote-client.ts'
import type { IsLeaked } from './identity/passwords/leaked-passwords.ts'

export type BaseContext = {
  readonly config: Config
  readonly database: Database
  readonly log: Logger
  readonly clock: Clock
  /** Overrides the grants of some users in tests. */
  readonly grantsInstead?: OverrideGrants
  /** The HTTP client for other servers; tests replace it. */
  readonly remote?: RemoteClient
  /** Maximum records that a field type conversion changes in one transaction; defaults to `changedAtOnce`. */
  readonly convertedAtOnce?: number
  /** Maximum records that a bulk change by query changes in one transaction; defaults to 10,000. */
  readonly changedAtOnce?: number
  /** Random source for IDs; defaults to the system's random generator. */
  readonly randomBytes?: (count: number) => Uint8Array
}

export type AppContext = BaseContext & {
  readonly newId: IdGenerator
  readonly keys: KeyRing
  readonly mailer: Mailer
  readonly counters: AttemptCounters
  readonly feed: ChangeFeed
  readonly isLeaked: IsLeaked
  readonly rules: AccessRulesCache
  readonly rightsOf: RightsOf
}

export type AttemptCounters = ReturnType<typeof openAttemptCounters>

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
