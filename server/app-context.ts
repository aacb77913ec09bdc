import type { Logger } from 'pino'
import type { Clock } from '#domain/shared/clock.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import type { ChangeFeed } from './platform/events/change-feed.ts'
import type { Config } from './config.ts'
import type { Database } from './platform/database/database.ts'
import type { KeyRing } from './platform/crypto/key-ring.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import type { OverrideGrants, RightsOf } from './access/rights/rights.ts'
import type { AccessRulesCache } from './access/rights/access-rules-cache.ts'
import type { RemoteClient } from './files/remote/remote-client.ts'
import type { IsLeaked } from './identity/passwords/leaked-passwords.ts'
import type { AttemptCounters } from './compose-attempt-counters.ts'

export type BaseContext = {
  readonly config: Config
  readonly database: Database
  readonly log: Logger
  readonly clock: Clock
  /** Replaces the grants of some users, for tests. */
  readonly grantsInstead?: OverrideGrants
  /** The HTTP client for other servers; tests replace it. */
  readonly remote?: RemoteClient
  /** Most records whose field type is converted in one write; defaults to `changedAtOnce`. */
  readonly convertedAtOnce?: number
  /** Most records changed by a query in one write; defaults to 10,000. */
  readonly changedAtOnce?: number
  /** Randomness for ids; defaults to the system's. */
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
