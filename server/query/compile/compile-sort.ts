import { type RawBuilder, sql } from 'kysely'
import { computedAt, type Leaf, type Step, readableAt } from '#domain/query/check/checked-filter.ts'
import { type SortPart, optionsAt, isNeverEmpty, printPlace, isNumberPart } from '#domain/query/list/sort.ts'
import type { KeyValue } from '#domain/shared/compare-values.ts'
import type { ViewId } from '#domain/views/view.ts'
import type { Dialect, CellValue, CollectionRow } from '#server/platform/database/database.ts'
import { fromRelation, pathConditions, readableConditions } from './compile-filter.ts'
import { foldIn, valueIn } from './formula/leaf-value.ts'
import {
  entriesOf,
  entryOfRow,
  isListLeaf,
  namingTable,
  placeAmong,
  valueColumn,
} from '#server/query/sql/leaf-columns.ts'
import {
  type ColumnNames,
  type Condition,
  type SqlContext,
  allOf,
  anyOf,
  column,
  entryAt,
  rowAt,
} from '#server/query/sql/sql-context.ts'

const keyName = (at: number): string => `k${at}`

export const selectKeys = (sort: readonly SortPart[], place: SqlContext) =>
  sort.map((part, at) => sql`${compilePart(part, place)} as ${sql.id(keyName(at))}`)

/** The sort key for a whole list. Uses joins, because subqueries would look up a title for every row. */
export function selectListKeys(sort: readonly SortPart[], place: SqlContext) {
  const step = sort.map(({ steps }) => steps).find(isOneStep)?.[0]
  if (!step) return { keys: selectKeys(sort, place), joins: sql`` }
  const there: SqlContext = { ...place, level: place.level + 1 }
  const keys = sort.map((part, at) => {
    const isJoined = isOneStep(part.steps) && part.steps[0]?.relation.id === step.relation.id
    return sql`${isJoined ? joinedPart(part, there) : compilePart(part, place)} as ${sql.id(keyName(at))}`
  })
  const joins = sql`
    left join ${fromRelation(step, place)} on ${allOf(pathConditions(step, place))}`
  return { keys, joins }
}

/** A formula can have a value even if all its inputs are empty, as they are where no row was joined. */
function joinedPart(part: SortPart, place: SqlContext): RawBuilder<unknown> {
  const own = ownPart(part, place)
  const isComputed = computedAt(part.leaf) !== undefined
  return isComputed ? sql`case when ${column(rowAt(place.level), 'id')} is not null then ${own} end` : own
}

function isOneStep([step, ...rest]: readonly Step[]): boolean {
  return step !== undefined && rest.length === 0 && !step.isReverse && !step.relation.options.many
}

export const keyColumns = (sort: readonly SortPart[], alias: string) => sort.map((_, at) => column(alias, keyName(at)))

/** Empty values sort last on both databases, whether ascending or descending. */
export const orderByKeys = (sort: readonly SortPart[], alias: string) =>
  sql.join(sort.map((part, at) => orderBy(part, column(alias, keyName(at)))))

function orderBy(part: SortPart, key: RawBuilder<unknown>): RawBuilder<unknown> {
  const direction = part.isDescending ? 'desc' : 'asc'
  return sql`${key} ${sql.raw(isNeverEmpty(part) ? direction : `${direction} nulls last`)}`
}

export function afterKey(sort: readonly SortPart[], key: readonly KeyValue[], alias: string): Condition {
  const equalBefore: Condition[] = []
  const behind: Condition[] = []
  for (const [at, part] of sort.entries()) {
    const own = column(alias, keyName(at))
    const value = key[at] ?? null
    // Empty values sort last, so if this value is empty, only later sort columns can differ.
    if (value !== null) behind.push(allOf([...equalBefore, isBehind(part, own, value)]))
    equalBefore.push(value === null ? sql`${own} is null` : sql`${own} = ${value}`)
  }
  return anyOf(behind)
}

function isBehind(part: SortPart, own: RawBuilder<unknown>, value: string | number): Condition {
  const further: Condition = sql`${own} ${sql.raw(part.isDescending ? '<' : '>')} ${value}`
  return isNeverEmpty(part) ? further : sql`(${further} or ${own} is null)`
}

const isNamePart = ({ keyType, leaf }: Pick<SortPart, 'keyType' | 'leaf'>): boolean =>
  keyType === 'fold' && namingTable(leaf) === 'users'

const compilePart = (part: SortPart, place: SqlContext): RawBuilder<unknown> => partBehind(part, part.steps, place)

function partBehind(part: SortPart, [step, ...rest]: readonly Step[], place: SqlContext): RawBuilder<unknown> {
  if (!step) return ownPart(part, place)
  const there: SqlContext = { ...place, level: place.level + 1 }
  const conditions = allOf(pathConditions(step, place))
  return sql`(select ${partBehind(part, rest, there)} from ${fromRelation(step, place)} where ${conditions}${firstOf(step, there)})`
}

function firstOf({ relation, isReverse }: Step, { level }: SqlContext): RawBuilder<unknown> {
  if (isReverse) return sql` order by ${column(rowAt(level), 'id')} limit 1`
  return relation.options.many ? sql` order by ${column(entryAt(level), 'position')} limit 1` : sql``
}

/** In rows where the field is hidden from the reader, its sort key is empty. */
function ownPart(part: SortPart, place: SqlContext): RawBuilder<unknown> {
  const held = readableConditions(readableAt(part.leaf), place)
  const whole = wholePart(part, place)
  return held.length === 0 ? whole : sql`case when ${allOf(held)} then ${whole} end`
}

function wholePart(part: SortPart, place: SqlContext): RawBuilder<unknown> {
  if (part.view !== undefined) return manualKey(part.view, column(rowAt(place.level), 'id'))
  if (isListLeaf(part.leaf)) return ofEntries(part.keyType, part.leaf, place)
  const row = rowAt(place.level)
  if (isNamePart(part)) return nameOf(column(row, valueColumn(part.leaf)))
  return ownExpression(part, place, (name) => column(row, name))
}

/**
 * The sort expression for a value that depends on the row alone; must be identical in queries and indexes. Checkboxes are
 * sorted as 0 and 1.
 */
export function ownExpression(
  { keyType, leaf }: Pick<SortPart, 'keyType' | 'leaf'>,
  { dialect }: Pick<SqlContext, 'dialect'>,
  columnNamed: ColumnNames,
): RawBuilder<unknown> {
  if (keyType === 'fold') return foldIn(leaf, { dialect }, columnNamed)
  const value = valueIn(leaf, { dialect }, columnNamed)
  if (keyType === 'place')
    return placeAmong(
      optionsAt(leaf).map(({ id }) => id),
      value,
    )
  const isTruth = leaf.type === 'field' && leaf.field.kind === 'checkbox'
  return isTruth && dialect === 'postgres' ? sql`${value}::int` : value
}

/** Records that weren't moved are sorted by their IDs, between which the keys of the others are. */
const manualKey = (view: ViewId, id: RawBuilder<unknown>) =>
  sql`coalesce((select p.order_key from view_positions as p where p.view_id = ${view} and p.record_id = ${id}), ${id})`

const nameOf = (user: RawBuilder<unknown>) => sql`(select n.name_fold from users as n where n.id = ${user})`

function ofEntries(keyType: SortPart['keyType'], leaf: Leaf, { level, dialect }: SqlContext): RawBuilder<unknown> {
  const entry = entryAt(level + 1)
  const [value, position] = [column(entry, 'value'), column(entry, 'position')]
  const isAboutAll = keyType === 'count' || keyType === 'places'
  const first = isAboutAll ? sql`` : sql` order by ${position} limit 1`
  const wanted = (): RawBuilder<unknown> => {
    if (keyType === 'count') return sql`nullif(count(*), 0)`
    if (keyType === 'places') return placesOf(leaf, value, position, dialect)
    return keyType === 'fold' ? nameOf(value) : value
  }
  return sql`(select ${wanted()} from ${entriesOf(leaf, level + 1)} where ${entryOfRow(level + 1, level)}${first})`
}

function placesOf(
  leaf: Leaf,
  value: RawBuilder<unknown>,
  position: RawBuilder<unknown>,
  dialect: Dialect,
): RawBuilder<unknown> {
  const choices = optionsAt(leaf)
  if (choices.length === 0) return sql`cast(null as text)`
  const cases = choices.map(({ id }, place) => sql`when ${sql.lit(id)} then ${sql.lit(printPlace(place))}`)
  const place = sql`case ${value} ${sql.join(cases, sql` `)} end`
  return dialect === 'postgres'
    ? sql`string_agg(${place}, '' order by ${position}) collate "C"`
    : sql`group_concat(${place}, '' order by ${position})`
}

export const keyIn = (row: CollectionRow, sort: readonly SortPart[]): KeyValue[] =>
  sort.map((part, at) => keyValue(row[keyName(at)], isNumberPart(part)))

function keyValue(cell: CellValue | undefined, isNumber: boolean): KeyValue {
  if (cell === null || cell === undefined) return null
  return isNumber ? Number(cell) : String(cell)
}
