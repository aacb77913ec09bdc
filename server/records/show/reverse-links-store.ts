import { type RawBuilder, sql } from 'kysely'
import type { Field } from '#domain/fields/field.ts'
import type { CheckedFilter } from '#domain/query/check/checked-filter.ts'
import type { Membership } from '#domain/query/list/evaluate-change.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { inList } from '#server/platform/database/rows/id-lists.ts'
import { conditionListOf } from '#server/query/compile/compile-conditions.ts'
import { compileFilter } from '#server/query/compile/compile-filter.ts'
import {
  allOf,
  column,
  columnOf,
  listTableOf,
  rowAt,
  rowsOf,
  type SqlOptions,
  SYSTEM_COLUMNS,
} from '#server/query/sql/sql-context.ts'

/** The records that may link, and the condition for those in which the relation is readable. */
export type LinkingRecords = {
  readonly list: Membership
  readonly relation: Field<'relation'>
  readonly readable: CheckedFilter | undefined
}

/** The first records that link to a record, in ID order, and their number. */
export type ReverseLinks = { readonly count: number; readonly ids: readonly RecordId[] }

const LINKS = 'links'

/** Reads the links to all of these records in one statement. */
export async function selectReverseLinks(
  reader: Reader,
  setting: SqlOptions,
  linking: LinkingRecords,
  { ids, limit }: { readonly ids: readonly RecordId[]; readonly limit: number },
): Promise<ReadonlyMap<RecordId, ReverseLinks>> {
  const statement = compileReverseLinks(setting, linking, { ids, limit })
  const { rows } = await statement.execute(reader)
  const links = new Map<RecordId, { count: number; ids: RecordId[] }>()
  for (const { target, id, total } of rows) {
    const known = links.get(target) ?? { count: Number(total), ids: [] }
    known.ids.push(id)
    links.set(target, known)
  }
  return links
}

type LinkRow = { readonly target: RecordId; readonly id: RecordId; readonly total: unknown }

function compileReverseLinks(
  setting: SqlOptions,
  { list, relation, readable }: LinkingRecords,
  { ids, limit }: { readonly ids: readonly RecordId[]; readonly limit: number },
): RawBuilder<LinkRow> {
  const place = { ...setting, level: 0 }
  const id = column(rowAt(0), SYSTEM_COLUMNS.id)
  const rows = rowsOf(list.collection.id, 0)
  const { many } = relation.options
  const [alias, name] = many ? [LINKS, 'value'] : [rowAt(0), columnOf(relation.id)]
  const target = column(alias, name)
  const from = many
    ? sql`${sql.table(listTableOf(relation.id))} as ${sql.id(LINKS)} join ${rows} on ${id} = ${column(LINKS, 'record_id')}`
    : rows
  const conditions = [
    inList(setting.dialect, `${alias}.${name}`, ids),
    ...conditionListOf(list, place),
    ...(readable ? [compileFilter(readable, place)] : []),
  ]
  return sql`select target, id, total from (
  select ${target} as target, ${id} as id,
    row_number() over (partition by ${target} order by ${id}) as place,
    count(*) over (partition by ${target}) as total
  from ${from} where ${allOf(conditions)}
) as linked where place <= ${sql.lit(limit)} order by target, id`
}
