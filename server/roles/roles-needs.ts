import type { Clock } from '#domain/shared/clock.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import type { DefinitionsCache } from '#server/collections/definitions-cache.ts'
import type { Database } from '#server/database/database.ts'
import type { AccessRulesCache } from './rules-cache.ts'

/** What the stories about roles and policies are handed. */
export type RolesDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly rules: AccessRulesCache
  readonly clock: Clock
  readonly newId: IdGenerator
}
