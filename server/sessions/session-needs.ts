import type { Clock } from '#domain/shared/clock.ts'
import type { IdMaker } from '#domain/shared/ids.ts'
import type { Database } from '#server/database/database.ts'
import type { KeyRing } from '#server/keys/key-ring.ts'
import type { RulesCache } from '#server/roles/rules-cache.ts'

/** What every story about sessions needs. */
export type SessionNeeds = {
  readonly database: Database
  readonly keys: KeyRing
  readonly clock: Clock
  readonly newId: IdMaker
  /** What roles mean at this moment. */
  readonly rules: RulesCache
}

/** Where a session is used from, as far as the server can see. */
export type Device = { readonly userAgent: string; readonly address: string }
