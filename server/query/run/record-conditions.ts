import { type RawBuilder, sql } from 'kysely'
import type { CheckedNode } from '#domain/query/check/checked-filter.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import type { CollectionRow } from '#server/platform/database/database.ts'

import { compileNode } from '#server/query/compile/compile-filter.ts'
import type { QueryScope } from './query-scope.ts'
import { column, rowAt, rowsOf, SYSTEM_COLUMNS } from '#server/query/sql/sql-context.ts'

export type MatchedConditions = { readonly version: number; readonly holds: readonly boolean[] }

/** Which conditions match each of these records, in one statement. Missing records are left out. */
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
