import type { Logger } from 'pino'
import type { Clock } from '#domain/shared/time.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import type { DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import type { Database } from '#server/platform/database/database.ts'

export type IndexDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly clock: Clock
  readonly newId: IdGenerator
  readonly log: Logger
}
