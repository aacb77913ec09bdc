import { type RawBuilder, sql } from 'kysely'
import type { CheckedFilter, CheckedNode } from '#domain/query/check/checked-filter.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import type { CollectionRow } from '#server/platform/database/database.ts'
import { compileFilter, compileNode } from '#server/query/compile/compile-filter.ts'
import { anyOf, column, type Condition, rowAt, rowsOf, SYSTEM_COLUMNS } from '#server/query/sql/sql-context.ts'
import type { QueryScope } from './query-scope.ts'

export type MatchedConditions = { readonly version: number; readonly holds: readonly boolean[] }

/** Determines in one statement which conditions match each of these records. Missing records are omitted. */
export async function selectMatchingConditions(
  { reader, dialect, pendingImports }: QueryScope,
  collection: CollectionId,
  conditions: readonly CheckedNode[],
  ids: readonly RecordId[],
): Promise<Map<RecordId, MatchedConditions>> {
  const place = { dialect, pendingImports, level: 0 }
  const [id, version] = [column(rowAt(0), SYSTEM_COLUMNS.id), column(rowAt(0), SYSTEM_COLUMNS.version)]
  const outcomes = conditions.map(
    (condition, at) => sql`case when ${compileNode(condition, place)} then 1 else 0 end as ${sql.id(nameOf(at))}`,
  )
  const statement: RawBuilder<CollectionRow> = sql`select ${sql.join([id, version, ...outcomes])}
from ${rowsOf(collection, 0)}
where ${id} in (${sql.join([...ids])})`
  const { rows } = await statement.execute(reader)
  return new Map(
    rows.map((row) => [
      String(row['id']),
      { version: Number(row['version']), holds: conditions.map((_, at) => Number(row[nameOf(at)]) === 1) },
    ]),
  )
}

const nameOf = (at: number): string => `h${at}`

/**
 * Determines in one statement which of these conditions match each of these rows, including rows of running imports.
 */
export async function matchConditions(
  { reader, dialect, pendingImports }: QueryScope,
  collection: CollectionId,
  conditions: readonly CheckedFilter[],
  ids: readonly RecordId[],
): Promise<ReadonlyMap<RecordId, readonly number[]>> {
  if (conditions.length === 0 || ids.length === 0) return new Map()
  const place = { dialect, pendingImports, level: 0 }
  const id = column(rowAt(0), 'id')
  const flags = conditions.map(
    (condition, at) => sql`case when ${compileFilter(condition, place)} then 1 else 0 end as ${sql.id(flagAt(at))}`,
  )
  const checked = sql`select ${id} as id, ${sql.join(flags)} from ${rowsOf(collection, 0)} where ${id} in (${sql.join(ids)})`
  const met = anyOf(conditions.map((_, at): Condition => sql`${sql.id(flagAt(at))} = 1`))
  const { rows } = await sql<CollectionRow>`select * from (${checked}) as judged where ${met}`.execute(reader)
  return new Map(
    rows.map((row) => [String(row['id']), conditions.flatMap((_, at) => (Number(row[flagAt(at)]) === 1 ? at : []))]),
  )
}

const flagAt = (at: number): string => `m${at}`
