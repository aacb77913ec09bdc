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

/** What the parts are made from. */
export type BaseContext = {
  readonly config: Config
  readonly database: Database
  readonly log: Logger
  readonly clock: Clock
  /** What some people are granted, whatever their roles say. */
  readonly grantsInstead?: OverrideGrants
  /** The way out to other servers, where it is not the real one. */
  readonly remote?: RemoteClient
  /** Most records whose field gets another kind in one write; as many as are changed at once, if nothing else is said. */
  readonly convertedAtOnce?: number
  /** Most records that a query finds and that are changed in one write; the contract's ten thousand, if nothing else is said. */
  readonly changedAtOnce?: number
  /** The source of the random digits of ids, where it is not the system's. */
  readonly randomBytes?: (count: number) => Uint8Array
}

/** What nearly every part is handed besides. */
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
