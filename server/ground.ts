import type { Logger } from 'pino'
import type { Clock } from '#domain/shared/clock.ts'
import type { IdMaker } from '#domain/shared/ids.ts'
import type { ChangeFeed } from './changes/change-feed.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { KeyRing } from './keys/key-ring.ts'
import type { Mailer } from './mail/mailer.ts'
import type { InsteadOf, RightsOf } from './roles/rights.ts'
import type { RulesCache } from './roles/rules-cache.ts'
import type { RemoteDoor } from './uploads/remote-door.ts'
import type { IsLeaked } from './users/leaked-passwords.ts'
import type { TryCounters } from './try-counters.ts'

/** What the parts are made from. */
export type Ground = {
  readonly config: Config
  readonly database: Database
  readonly log: Logger
  readonly clock: Clock
  /** What some people are granted, whatever their roles say. */
  readonly grantsInstead?: InsteadOf
  /** The way out to other servers, where it is not the real one. */
  readonly remote?: RemoteDoor
  /** Most records whose field gets another kind in one write; as many as are changed at once, if nothing else is said. */
  readonly convertedAtOnce?: number
  /** Most records that a query finds and that are changed in one write; the contract's ten thousand, if nothing else is said. */
  readonly changedAtOnce?: number
  /** The source of the random digits of ids, where it is not the system's. */
  readonly randomBytes?: (count: number) => Uint8Array
}

/** What nearly every part is handed besides. */
export type Common = Ground & {
  readonly newId: IdMaker
  readonly keys: KeyRing
  readonly mailer: Mailer
  readonly counters: TryCounters
  readonly feed: ChangeFeed
  readonly isLeaked: IsLeaked
  readonly rules: RulesCache
  readonly rightsOf: RightsOf
}
