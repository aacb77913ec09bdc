import type { CheckedRecordsQuery } from '#domain/query/records-query.ts'
import type { SearchPurpose } from './search-request.ts'
import { recordSlowSearch } from './slow-search-log.ts'
import { planOnPostgres } from './plan-search-on-postgres.ts'
import { planOnSqlite } from './plan-search-on-sqlite.ts'
import type { QueryScope } from '#server/query/run/query-scope.ts'
import { resolveSearch } from './resolve-search.ts'
import type { FullTextIndexes } from './full-text-index.ts'
import type { SqlOptions } from '#server/query/sql/sql-context.ts'

const NO_PARTS: FullTextIndexes = new Map()

/** The setting of a query's statements; where it searches, it is worked out first how the indexes answer that. */
export async function settingFor(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  use: SearchPurpose,
): Promise<SqlOptions> {
  const { dialect, pendingImports, reader } = scope
  const setting: SqlOptions = { dialect, pendingImports }
  if (query.search.terms.length === 0) return setting
  const search = await resolveSearch(query.search, { reader, setting, parts: scope.searchParts ?? NO_PARTS })
  recordSlowSearch(scope, { ...query, search })
  const asked = { scope, query: { ...query, search }, setting, use }
  return { ...setting, search: await (dialect === 'postgres' ? planOnPostgres(asked) : planOnSqlite(asked)) }
}
