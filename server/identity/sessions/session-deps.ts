import type { Clock } from '#domain/shared/clock.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { AccessRulesCache } from '#server/access/rights/access-rules-cache.ts'

/** What every story about sessions needs. */
export type SessionDeps = {
  readonly database: Database
  readonly keys: KeyRing
  readonly clock: Clock
  readonly newId: IdGenerator
  /** What roles mean at this moment. */
  readonly rules: AccessRulesCache
}

/** Where a session is used from, as far as the server can see. */
export type Device = { readonly userAgent: string; readonly address: string }
