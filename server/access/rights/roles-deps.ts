import type { Clock } from '#domain/shared/time.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import type { DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { AccessRulesCache } from './access-rules-cache.ts'

export type RolesDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly rules: AccessRulesCache
  readonly clock: Clock
  readonly newId: IdGenerator
}
