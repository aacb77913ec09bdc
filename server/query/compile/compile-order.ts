import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type SortPart, isNeverEmpty } from '#domain/query/list/sort.ts'
import { type IndexedField, fieldOf } from '#domain/query/list/index-selection.ts'
import type { KeyValue } from '#domain/shared/compare-values.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { ownExpression } from './compile-sort.ts'
import { prefixExpression, prefixOfText, isLongText } from '#server/query/sql/leaf-columns.ts'
import {
  allOf,
  anyOf,
  column,
  type ColumnNames,
  type Condition,
  rowAt,
  SEQ_COLUMN,
  type SqlContext,
  type SqlOptions,
  SYSTEM_COLUMNS,
  tableOf,
} from '#server/query/sql/sql-context.ts'

type Term = { readonly sql: RawBuilder<unknown>; readonly bound: (key: readonly KeyValue[]) => RawBuilder<unknown> }

export type OrderRun = {
  readonly terms: readonly Term[]
  readonly isDescending: boolean
  readonly isNeverEmpty: boolean
  /** `x is null` as an index column, because SQLite can skip empty values only in the first column. */
  readonly gap: RawBuilder<unknown> | null
  readonly isEmptyIn: (key: readonly KeyValue[]) => boolean
}

/** A range of a sorted list that a single index scan can read; contains no `or`. */
export type Section = { readonly where: readonly Condition[]; readonly order: readonly RawBuilder<unknown>[] }

/** The column used to look up rows; its order equals the ID order. */
export const rowKey = ({ dialect, isPast }: Pick<SqlOptions, 'dialect' | 'isPast'>): string =>
  dialect === 'sqlite' && isPast !== true ? SEQ_COLUMN : SYSTEM_COLUMNS.id

export const ofFirstRow: ColumnNames = (name) => column(rowAt(0), name)

export type OrderContext = {
  readonly setting: Pick<SqlOptions, 'dialect' | 'isPast' | 'isByPrefix'>
  readonly names: ColumnNames
  readonly home: CollectionId
  readonly fixed: ReadonlySet<IndexedField>
}

export function runsOf(sort: readonly SortPart[], place: OrderContext): OrderRun[] {
  const runs: OrderRun[] = []
  let before: SortPart | undefined
  for (const [at, part] of sort.entries()) {
    if (place.fixed.has(fieldOf(part.leaf))) continue
    const last = runs.at(-1)
    const isSame = before?.leaf === part.leaf && before.isDescending === part.isDescending
    if (isSame && last) runs.splice(-1, 1, { ...last, terms: [...last.terms, ...termsOf(part, at, place)] })
    else runs.push(runOf(part, at, place, runs.length === 0))
    before = part
  }
  return runs
}

function runOf(part: SortPart, at: number, place: OrderContext, isFirst: boolean): OrderRun {
  const { setting, names } = place
  const { isDescending } = part
  const isEmptyIn = (key: readonly KeyValue[]) => (key[at] ?? null) === null
  if (part.leaf.type === 'system' && part.leaf.field === 'id') {
    const bound = (key: readonly KeyValue[]) => placeOfId(String(key[at] ?? ''), isDescending, place)
    const terms = [{ sql: names(rowKey(setting)), bound }]
    return { terms, isDescending, isNeverEmpty: true, gap: null, isEmptyIn }
  }
  const terms = termsOf(part, at, place)
  const hasGap = setting.dialect === 'sqlite' && !isFirst && !isDescending && !isNeverEmpty(part)
  const gap = hasGap && terms[0] ? sql`(${terms[0].sql} is null)` : null
  return { terms, isDescending, isNeverEmpty: isNeverEmpty(part), gap, isEmptyIn }
}

/**
 * PostgreSQL can't index long texts, so an indexable prefix is added as a separate term before the full text, or takes its
 * place.
 */
function termsOf(part: SortPart, at: number, { setting, names }: OrderContext): Term[] {
  const whole = ownExpression(part, setting, names)
  const own: Term = { sql: whole, bound: (key) => sql.val(key[at] ?? null) }
  if (setting.dialect === 'sqlite' || !isLongText(part.leaf)) return [own]
  const prefix: Term = { sql: prefixExpression(whole), bound: (key) => sql.val(prefixOfText(String(key[at] ?? ''))) }
  if (setting.isByPrefix) return [prefix]
  return part.keyType === 'fold' ? [prefix, own] : [own]
}

/**
 * On SQLite, the row number of an ID or, if the record was deleted, of its neighbor, which is followed by the same
 * rows.
 */
function placeOfId(id: string, isDescending: boolean, { setting, home }: OrderContext): RawBuilder<unknown> {
  if (rowKey(setting) === SYSTEM_COLUMNS.id) return sql.val(id)
  const table = sql.table(tableOf(home))
  return isDescending
    ? sql`coalesce((select n.seq from ${table} as n where n.id >= ${id} order by n.id limit 1), 9223372036854775807)`
    : sql`coalesce((select n.seq from ${table} as n where n.id <= ${id} order by n.id desc limit 1), 0)`
}

export const orderOf = (
  runs: readonly OrderRun[],
  setting: Pick<SqlOptions, 'dialect'>,
  isFilled = false,
): RawBuilder<unknown>[] =>
  runs.flatMap((run, at) => [
    ...(run.gap === null || (isFilled && at === 0) ? [] : [run.gap]),
    ...run.terms.map((term, place) =>
      directed(term.sql, run, needsNullsLast(run, setting, place > 0 || (isFilled && at === 0))),
    ),
  ])

export const columnsOfRuns = (runs: readonly OrderRun[], setting: Pick<SqlOptions, 'dialect'>): RawBuilder<unknown>[] =>
  runs.flatMap((run) => [
    ...(run.gap === null ? [] : [run.gap]),
    ...run.terms.map((term) => {
      const expression = setting.dialect === 'postgres' ? sql`(${term.sql})` : term.sql
      return directed(expression, run, setting.dialect === 'postgres' && !run.isNeverEmpty)
    }),
  ])

function directed(expression: RawBuilder<unknown>, { isDescending }: OrderRun, saysLast: boolean): RawBuilder<unknown> {
  return sql`${expression} ${sql.raw(isDescending ? 'desc' : 'asc')}${sql.raw(saysLast ? ' nulls last' : '')}`
}

/** SQLite sorts empty values first and can use an index for `nulls last` only on the first column. */
function needsNullsLast(run: OrderRun, { dialect }: Pick<SqlOptions, 'dialect'>, isFilled: boolean): boolean {
  if (run.isNeverEmpty) return false
  return dialect === 'postgres' || !(run.isDescending || run.gap !== null || isFilled)
}

const inOrderOf =
  (run: OrderRun, setting: SqlOptions) =>
  ({ where, order }: Section): Section => ({ where, order: [...orderOf(emptiness(run, setting), setting), ...order] })

const MAX_SPLIT_RUNS = 2

/**
 * The ranges of rows after a key, in list order: rows whose first run of sort columns equals the key's, rows with
 * greater values in it, and rows with empty values in it. `inOne` returns a single range, whose conditions can't use an
 * index.
 */
export function sectionsAfter(
  runs: readonly OrderRun[],
  key: readonly KeyValue[],
  setting: SqlOptions,
  inOne = false,
): Section[] {
  return sectionAfter({ runs, key, setting, apart: inOne ? 0 : MAX_SPLIT_RUNS }, 0, [])
}

type Walk = {
  readonly runs: readonly OrderRun[]
  readonly key: readonly KeyValue[]
  readonly setting: SqlOptions
  readonly apart: number
}

function sectionAfter(walk: Walk, at: number, before: readonly Condition[]): Section[] {
  const { runs, key, setting, apart } = walk
  const run = runs[at]
  if (!run) return []
  const rest = runs.slice(at)
  if (at === apart && rest.length > 1) {
    const any = anyOf(
      sectionAfter({ ...walk, apart: Number.POSITIVE_INFINITY }, at, []).map(({ where }) => allOf(where)),
    )
    return [{ where: [...before, any], order: orderOf(rest, setting) }]
  }
  const ties = sectionAfter(walk, at + 1, [...before, ...equals(run, key)])
  if (run.isEmptyIn(key)) return setting.dialect === 'postgres' ? ties.map(inOrderOf(run, setting)) : ties
  const further: Section = {
    where: [...before, ...isFilled(run), afterKeyOf(run, key)],
    order: orderOf(rest, setting, true),
  }
  // PostgreSQL uses an index for empty values only if `order by` includes the empty columns; for SQLite, it makes no
  // difference.
  const emptyOrder = setting.dialect === 'postgres' ? [...emptiness(run, setting), ...rest.slice(1)] : rest.slice(1)
  const empty: Section = { where: [...before, ...isEmpty(run)], order: orderOf(emptyOrder, setting) }
  return [...ties, further, ...(run.isNeverEmpty ? [] : [empty])]
}

const equals = (run: OrderRun, key: readonly KeyValue[]): Condition[] =>
  run.isEmptyIn(key)
    ? isEmpty(run)
    : [...isFilled(run), ...run.terms.map((term): Condition => sql`${term.sql} = ${term.bound(key)}`)]

const isFilled = ({ gap }: OrderRun): Condition[] => (gap === null ? [] : [sql`${gap} = 0`])

const isEmpty = ({ gap, terms }: OrderRun): Condition[] => [
  ...(gap === null ? [] : [sql<SqlBool>`${gap} = 1`]),
  ...terms.map((term) => sql<SqlBool>`${term.sql} is null`),
]

/** The empty columns of an index: of a long text, it contains only the prefix. */
const emptiness = (run: OrderRun, { isByPrefix }: SqlOptions): OrderRun[] =>
  isByPrefix ? [run] : [{ ...run, terms: run.terms.slice(0, 1) }]

/**
 * Matches rows that sort after the key within a run. All terms of a run have the same direction, so they can be
 * compared as a row value.
 */
function afterKeyOf({ terms, isDescending }: OrderRun, key: readonly KeyValue[]): Condition {
  const sign = sql.raw(isDescending ? '<' : '>')
  const [only] = terms
  if (terms.length === 1 && only) return sql`${only.sql} ${sign} ${only.bound(key)}`
  return sql`(${sql.join(terms.map((term) => term.sql))}) ${sign} (${sql.join(terms.map((term) => term.bound(key)))})`
}

/** Concatenates a statement's ranges in order, with a row limit for each range. */
export function chain(sections: readonly RawBuilder<unknown>[], max: number): RawBuilder<unknown> {
  const [only] = sections
  if (sections.length === 1 && only) return only
  const parts = sections.map(
    (section) => sql`select * from (${section}
    limit ${max}) as part`,
  )
  return sql`select * from (
    ${sql.join(
      parts,
      sql`
    union all `,
    )}
  ) as parts`
}

export const rootContext = (setting: SqlOptions): SqlContext => ({ ...setting, level: 0 })
