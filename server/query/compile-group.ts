import { type RawBuilder, sql } from 'kysely'
import type { Aggregate, CheckedGroupQuery } from '#domain/query/group.ts'
import type { CheckedRecordsQuery } from '#domain/query/records-query.ts'
import type { CollectionRow } from '#server/database/database.ts'
import { columnOf } from './column-of.ts'
import { conditionsOf } from './compile-records-query.ts'
import { keyColumns, orderByKeys, selectKeys } from './compile-sort.ts'
import { type SqlPlace, type SqlSetting, column, rowAt, rowsOf } from './sql-place.ts'

/** The name of an aggregate's figure (`a0`), and of how many numbers went into it (`c0`). */
export const figureNames = (at: number) => ({ figure: `a${at}`, count: `c${at}` })

/**
 * Groups in the order of the sorted list. Each row's key and numbers are selected once and then grouped by name, since
 * PostgreSQL does not see that two expressions with bound values are the same. The running sum of the sizes tells where
 * each group begins.
 */
export function compileGroups(
  query: CheckedRecordsQuery,
  grouping: CheckedGroupQuery,
  setting: SqlSetting,
): RawBuilder<CollectionRow> {
  const { parts, aggregates, limit, offset } = grouping
  const grouped = compileGrouped(query, grouping, { ...setting, level: 0 })
  const figures = aggregates.flatMap((aggregate, at) => figuresOf(aggregate, at, setting))
  const keys = keyColumns(parts, 'keyed')
  return sql`select sizes.*,
  sum(sizes.size) over (order by ${orderByKeys(parts, 'sizes')} rows unbounded preceding) - sizes.size as begins,
  count(*) over () as total
from (
  select ${sql.join([...keys, sql`count(*) as size`, ...figures])}
  from (${grouped}) as keyed
  group by ${sql.join(keys)}
) as sizes
order by ${orderByKeys(parts, 'sizes')}
limit ${limit} offset ${offset}`
}

/** How many groups there are. */
export function compileGroupCount(
  query: CheckedRecordsQuery,
  grouping: CheckedGroupQuery,
  setting: SqlSetting,
): RawBuilder<{ readonly total: unknown }> {
  const keys = sql.join(keyColumns(grouping.parts, 'keyed'))
  const grouped = compileGrouped(query, grouping, { ...setting, level: 0 })
  return sql`select count(*) as total from (select 1 as one from (${grouped}) as keyed group by ${keys}) as sizes`
}

function compileGrouped(query: CheckedRecordsQuery, { parts, aggregates }: CheckedGroupQuery, place: SqlPlace) {
  const numbers = aggregates.flatMap((aggregate, at) =>
    aggregate.type === 'count'
      ? []
      : sql`${column(rowAt(0), columnOf(aggregate.field.id))} as ${sql.id(numberName(at))}`,
  )
  return sql`
    select ${sql.join([...selectKeys(parts, place), ...numbers])}
    from ${rowsOf(query.collection.id, 0)}
    where ${conditionsOf(query, place)}
  `
}

const numberName = (at: number): string => `n${at}`

/**
 * A mean is answered as its sum and count. PostgreSQL adds up as decimals: doubles would gather errors that SQLite,
 * which compensates them, does not have.
 */
function figuresOf(aggregate: Aggregate, at: number, { dialect }: SqlSetting): RawBuilder<unknown>[] {
  const names = figureNames(at)
  const number = column('keyed', numberName(at))
  switch (aggregate.type) {
    case 'count':
      return []
    case 'sum':
    case 'avg': {
      const added = dialect === 'postgres' ? sql`${number}::numeric` : number
      return [sql`sum(${added}) as ${sql.id(names.figure)}`, sql`count(${number}) as ${sql.id(names.count)}`]
    }
    case 'min':
      return [sql`min(${number}) as ${sql.id(names.figure)}`]
    case 'max':
      return [sql`max(${number}) as ${sql.id(names.figure)}`]
  }
}
