import { type RawBuilder, sql } from 'kysely'
import { type Leaf, type Step, readableAt } from '#domain/query/check/checked-filter.ts'
import { type SortPart, optionsAt, isNeverEmpty, printPlace } from '#domain/query/list/sort.ts'
import type { KeyValue } from '#domain/shared/compare-values.ts'
import type { Dialect } from '#server/platform/database/database.ts'
import { fromRelation, pathConditions, readableConditions } from './compile-filter.ts'
import {
  entriesOf,
  entryOfRow,
  foldColumn,
  isListLeaf,
  namingTable,
  placeAmong,
  valueColumn,
} from '#server/query/sql/leaf-columns.ts'
import { type Condition, type SqlContext, allOf, anyOf, column, entryAt, rowAt } from '#server/query/sql/sql-context.ts'

/** The name under which a part of the sort key is selected: `k0`, `k1`, … */
export const keyName = (at: number): string => `k${at}`

/** The sort key as columns of a select. */
export const selectKeys = (sort: readonly SortPart[], place: SqlContext) =>
  sort.map((part, at) => sql`${compilePart(part, place)} as ${sql.id(keyName(at))}`)

/**
 * The same for a whole list, and the tables that are read with it. Where they are asked in the row, PostgreSQL looks up a
 * title once for each row and SQLite once for each part of it; where the related rows are joined, in one go and once.
 */
export function selectListKeys(sort: readonly SortPart[], place: SqlContext) {
  const step = sort.map(({ steps }) => steps).find(isOneStep)?.[0]
  if (!step) return { keys: selectKeys(sort, place), joins: sql`` }
  const there: SqlContext = { ...place, level: place.level + 1 }
  const keys = sort.map((part, at) => {
    const isJoined = isOneStep(part.steps) && part.steps[0]?.relation.id === step.relation.id
    return sql`${isJoined ? ownPart(part, there) : compilePart(part, place)} as ${sql.id(keyName(at))}`
  })
  const joins = sql`
    left join ${fromRelation(step, place)} on ${allOf(pathConditions(step, place))}`
  return { keys, joins }
}

/** Whether a path leads to one related row at most. */
const isOneStep = (steps: readonly Step[]): boolean => steps.length === 1 && steps[0]?.relation.options.many === false

/** A key that was selected, by its names. */
export const keyColumns = (sort: readonly SortPart[], alias: string) => sort.map((_, at) => column(alias, keyName(at)))

/** The order of rows whose key was selected; empty last in both directions, on both databases. */
export const orderByKeys = (sort: readonly SortPart[], alias: string) =>
  sql.join(sort.map((part, at) => orderBy(part, column(alias, keyName(at)))))

function orderBy(part: SortPart, key: RawBuilder<unknown>): RawBuilder<unknown> {
  const direction = part.isDescending ? 'desc' : 'asc'
  return sql`${key} ${sql.raw(isNeverEmpty(part) ? direction : `${direction} nulls last`)}`
}

/** The rows that stand behind a key: equal in some first parts, and then behind in the next. */
export function afterKey(sort: readonly SortPart[], key: readonly KeyValue[], alias: string): Condition {
  const equalBefore: Condition[] = []
  const behind: Condition[] = []
  for (const [at, part] of sort.entries()) {
    const own = column(alias, keyName(at))
    const value = key[at] ?? null
    // Nothing stands behind the empty ones but by a later part.
    if (value !== null) behind.push(allOf([...equalBefore, isBehind(part, own, value)]))
    equalBefore.push(value === null ? sql`${own} is null` : sql`${own} = ${value}`)
  }
  return anyOf(behind)
}

function isBehind(part: SortPart, own: RawBuilder<unknown>, value: string | number): Condition {
  const further: Condition = sql`${own} ${sql.raw(part.isDescending ? '<' : '>')} ${value}`
  return isNeverEmpty(part) ? further : sql`(${further} or ${own} is null)`
}

/** Whether a part is the name of whom the row names by id. */
const isNamePart = ({ keyType, leaf }: Pick<SortPart, 'keyType' | 'leaf'>): boolean =>
  keyType === 'fold' && namingTable(leaf) === 'users'

/** One part of the key in its row; behind a relation, that of the first row it may lead to. */
const compilePart = (part: SortPart, place: SqlContext): RawBuilder<unknown> => partBehind(part, part.steps, place)

function partBehind(part: SortPart, [step, ...rest]: readonly Step[], place: SqlContext): RawBuilder<unknown> {
  if (!step) return ownPart(part, place)
  const there: SqlContext = { ...place, level: place.level + 1 }
  const conditions = allOf(pathConditions(step, place))
  const first = step.relation.options.many ? sql` order by ${column(entryAt(there.level), 'position')} limit 1` : sql``
  return sql`(select ${partBehind(part, rest, there)} from ${fromRelation(step, place)} where ${conditions}${first})`
}

/** Where a field is not there for its reader, its part of the key is empty. */
function ownPart(part: SortPart, place: SqlContext): RawBuilder<unknown> {
  const held = readableConditions(readableAt(part.leaf), place)
  const whole = wholePart(part, place)
  return held.length === 0 ? whole : sql`case when ${allOf(held)} then ${whole} end`
}

function wholePart(part: SortPart, place: SqlContext): RawBuilder<unknown> {
  if (isListLeaf(part.leaf)) return ofEntries(part.keyType, part.leaf, place)
  const row = rowAt(place.level)
  if (isNamePart(part)) return nameOf(column(row, valueColumn(part.leaf)))
  return ownExpression(part, place, (name) => column(row, name))
}

/** A part that is read in its own row, over that row's columns: the same in a query and in the index that serves it. */
export function ownExpression(
  { keyType, leaf }: Pick<SortPart, 'keyType' | 'leaf'>,
  { dialect }: Pick<SqlContext, 'dialect'>,
  columnNamed: (name: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (keyType === 'fold') return columnNamed(foldColumn(leaf))
  const value = columnNamed(valueColumn(leaf))
  if (keyType === 'place')
    return placeAmong(
      optionsAt(leaf).map(({ id }) => id),
      value,
    )
  const isTruth = leaf.type === 'field' && leaf.field.kind === 'checkbox'
  return isTruth && dialect === 'postgres' ? sql`${value}::int` : value
}

/** The folded name of a user. */
const nameOf = (user: RawBuilder<unknown>) => sql`(select n.name_fold from users as n where n.id = ${user})`

/** How many entries a list has, all their places, or its first. */
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

/** The places of all choices of a list one after the other; those that are gone have none. */
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
