import type { Clock } from '#domain/shared/clock.ts'
import type { IdMaker } from '#domain/shared/ids.ts'
import type { DefinitionsCache } from '#server/collections/definitions-cache.ts'
import type { Database } from '#server/database/database.ts'
import type { RulesCache } from './rules-cache.ts'

/** What the stories about roles and policies are handed. */
export type RolesNeeds = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly rules: RulesCache
  readonly clock: Clock
  readonly newId: IdMaker
}
