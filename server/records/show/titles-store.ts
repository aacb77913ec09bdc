import { type RawBuilder, sql } from 'kysely'
import type { Field } from '#domain/fields/field.ts'
import type { CheckedFilter } from '#domain/query/check/checked-filter.ts'
import type { Membership } from '#domain/query/list/evaluate-change.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import type { CellValue, Database, Dialect } from '#server/platform/database/database.ts'
import { inList } from '#server/platform/database/rows/id-lists.ts'
import { conditionListOf } from '#server/query/compile/compile-conditions.ts'
import { compileFilter } from '#server/query/compile/compile-filter.ts'
import {
  allOf,
  column,
  columnOf,
  type Condition,
  rowAt,
  rowsOf,
  type SqlOptions,
} from '#server/query/sql/sql-context.ts'

/** The conditions of visible records, and the expression of their titles. */
export type CompiledTitles = {
  readonly collection: CollectionId
  readonly conditions: readonly Condition[]
  readonly title: RawBuilder<unknown>
}

/** `readable` is the condition for records in which the field is readable; absent: all. */
export type TitleField = { readonly field: Field; readonly readable?: CheckedFilter | undefined }

export const compileTitles = (
  list: Membership,
  title: TitleField | undefined,
  setting: SqlOptions,
): CompiledTitles => ({
  collection: list.collection.id,
  conditions: conditionListOf(list, { ...setting, level: 0 }),
  title: title ? compileTitle(title, setting) : NO_TITLE,
})

function compileTitle({ field, readable }: TitleField, setting: SqlOptions): RawBuilder<unknown> {
  const own = column(rowAt(0), columnOf(field.id))
  // PostgreSQL requires the same type in all parts of a union.
  const cell = setting.dialect === 'postgres' ? sql`cast(${own} as text)` : own
  return readable ? sql`case when ${compileFilter(readable, { ...setting, level: 0 })} then ${cell} end` : cell
}

const ID = column(rowAt(0), 'id')
const NO_TITLE = sql`cast(null as text)`

/** Records of one collection; without `isTitled`, only their visibility is read. */
export type TitlesRead = {
  readonly compiled: CompiledTitles
  readonly ids: readonly RecordId[]
  readonly isTitled: boolean
}

/** `place` is the position of the read. */
export type TitleRow = { readonly place: number; readonly id: RecordId; readonly title: CellValue }

/** SQLite allows 500 parts in a union. */
const READS_PER_STATEMENT = 100

/** Maximum number of rows that are read on the event loop. */
const MAX_BRIEF_ROWS = 1000

export async function selectTitles(
  { dialect, read, readBriefly }: Database,
  reads: readonly TitlesRead[],
): Promise<readonly TitleRow[]> {
  const parts = reads.map((each, at) => compileRead(each, at, dialect))
  const reader = reads.reduce((sum, { ids }) => sum + ids.length, 0) > MAX_BRIEF_ROWS ? read : readBriefly
  const rows: TitleRow[] = []
  for (let at = 0; at < parts.length; at += READS_PER_STATEMENT) {
    const some = parts.slice(at, at + READS_PER_STATEMENT)
    rows.push(...(await sql<TitleRow>`${sql.join(some, sql` union all `)}`.execute(reader)).rows)
  }
  return rows
}

function compileRead({ compiled, ids, isTitled }: TitlesRead, at: number, dialect: Dialect): RawBuilder<unknown> {
  const { collection, conditions, title } = compiled
  return sql`select ${sql.lit(at)} as place, ${ID} as id, ${isTitled ? title : NO_TITLE} as title
    from ${rowsOf(collection, 0)} where ${allOf([inList(dialect, `${rowAt(0)}.id`, ids), ...conditions])}`
}
