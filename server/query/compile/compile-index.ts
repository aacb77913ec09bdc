import { type RawBuilder, sql } from 'kysely'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import { holdsList, isStored } from '#domain/fields/field.ts'
import { valueField } from '#domain/formulas/formula-fields.ts'
import { isSystemField } from '#domain/fields/system-fields.ts'
import { type Leaf, leafOf, systemLeaf } from '#domain/query/check/checked-filter.ts'
import { type SortPart, optionsAt, endWithId } from '#domain/query/list/sort.ts'
import {
  type IndexSpec,
  type IndexedField,
  type OrderedField,
  fieldsOfIndex,
} from '#domain/query/list/index-selection.ts'
import type { Dialect } from '#server/platform/database/database.ts'
import { tableOf } from '#server/query/sql/sql-context.ts'
import { columnsOfRuns, runsOf } from './compile-order.ts'
import { foldColumn, hasTextOrder, valueColumn, prefixExpression, isLongText } from '#server/query/sql/leaf-columns.ts'

/** Maximum number of index columns; more would slow down every write without helping any query. */
const MAX_COLUMNS = 12

/**
 * The `create index` statement, with the same expressions as queries; undefined if a field was deleted, its options
 * were reordered, or the database doesn't support the index.
 */
export function compileIndex(
  name: string,
  spec: IndexSpec,
  { collection, dialect }: { readonly collection: Collection; readonly dialect: Dialect },
): RawBuilder<unknown> | undefined {
  if (!fitsCollection(spec, collection)) return undefined
  const { keys, read } = columnsOf(spec, collection, dialect)
  const isApart = dialect === 'postgres' && keys.length > 0
  const columns = (isApart ? keys : [...keys, ...read]).slice(0, MAX_COLUMNS)
  if (columns.length === 0) return undefined
  const table = sql.table(tableOf(collection.id))
  const isConcurrent = dialect === 'postgres' ? sql` concurrently` : sql``
  const included = isApart && read.length > 0 ? sql` include (${sql.join(read)})` : sql``
  return sql`create index${isConcurrent} ${sql.id(name)} on ${table} (${sql.join(columns)})${included}`
}

export function fitsCollection(spec: IndexSpec, collection: Collection): boolean {
  const isThere = fieldsOfIndex(spec).every((field) => leafNamed(field, collection) !== undefined)
  return isThere && spec.order.every((ordered) => hasSameOptionOrder(ordered, collection))
}

function hasSameOptionOrder({ field, places }: OrderedField, collection: Collection): boolean {
  const leaf = leafNamed(field, collection)
  const choices = leaf ? optionsAt(leaf).map(({ id }) => id) : []
  return places === undefined || choices.join() === places.join()
}

function leafNamed(name: IndexedField, collection: Collection): Leaf | undefined {
  if (isSystemField(name)) return systemLeaf(name)
  const field = fieldById(collection, name)
  return field && !holdsList(field) && isStored(field) ? leafOf(valueField(field), null) : undefined
}

type Columns = { readonly keys: readonly RawBuilder<unknown>[]; readonly read: readonly RawBuilder<unknown>[] }

function columnsOf(spec: IndexSpec, collection: Collection, dialect: Dialect): Columns {
  const leaves = (names: readonly IndexedField[]) => names.flatMap((name) => leafNamed(name, collection) ?? [])
  const asTexts = (leaf: Leaf) => textColumns(leaf, dialect)
  const grouped = leaves(spec.grouped)
  // Grouping by text needs the full text, which PostgreSQL's indexes don't contain.
  if (dialect === 'postgres' && grouped.some(isLongText)) return { keys: [], read: [] }
  return {
    keys: [
      ...leaves(spec.equal).map((leaf) => valueIn(leaf, dialect)),
      ...grouped.flatMap(asTexts),
      ...leaves(spec.range === null ? [] : [spec.range]).flatMap(asTexts),
      ...orderColumns(spec, collection, dialect),
    ],
    read:
      dialect === 'postgres'
        ? readOnPostgres(spec, leaves)
        : leaves(spec.covered).map((leaf) => valueIn(leaf, dialect)),
  }
}

/**
 * On PostgreSQL, non-key columns don't affect the order, so rows with equal keys stay in table order and their
 * visibility is checked one table page at a time. Keys contain option positions; conditions on option IDs, as in many
 * row filters, need the ID as an additional column.
 */
function readOnPostgres({ covered, equal, range, order }: IndexSpec, leaves: LeavesNamed): RawBuilder<unknown>[] {
  const keys = new Set([...equal, ...(range === null ? [] : [range])])
  const chosen = order.filter(({ places }) => places !== undefined).map(({ field }) => field)
  const read = [...new Set([...covered, ...chosen])].filter((field) => !keys.has(field))
  return leaves(read)
    .filter((leaf) => !isLongText(leaf))
    .map((leaf) => sql.id(valueColumn(leaf)))
}

type LeavesNamed = (names: readonly IndexedField[]) => readonly Leaf[]

function valueIn(leaf: Leaf, dialect: Dialect): RawBuilder<unknown> {
  const value = sql.id(valueColumn(leaf))
  return dialect === 'postgres' && isLongText(leaf) ? sql`(${prefixExpression(value)})` : value
}

/** Texts are indexed in the order in which they are sorted and compared: by folded form, then by exact text. */
function textColumns(leaf: Leaf, dialect: Dialect): RawBuilder<unknown>[] {
  const [fold, value] = [sql.id(foldColumn(leaf)), sql.id(valueColumn(leaf))]
  if (isLongText(leaf) && dialect === 'postgres') return [sql`(${prefixExpression(fold)})`]
  if (isLongText(leaf) && !hasTextOrder(leaf)) return [fold]
  return hasTextOrder(leaf) ? [fold, value] : [value]
}

/**
 * The sort columns of a list. PostgreSQL indexes contain only a prefix of long texts, so rows must be sorted anyway and
 * only the ID is added after it.
 */
function orderColumns(spec: IndexSpec, collection: Collection, dialect: Dialect): RawBuilder<unknown>[] {
  const sort = spec.order.flatMap((ordered) => partsOf(ordered, collection))
  const place = { setting: { dialect }, names: (name: string) => sql.id(name), home: collection.id, fixed: NO_FIELDS }
  if (dialect === 'sqlite') return columnsOfRuns(runsOf(sort, place), place.setting)
  const long = sort.findIndex(({ leaf, keyType }) => keyType === 'fold' && isLongText(leaf))
  const byId = columnsOfRuns(runsOf(endWithId([]), place), place.setting)
  if (long === -1) return [...columnsOfRuns(runsOf(sort, place), place.setting), ...byId]
  return [...columnsOfRuns(runsOf(sort.slice(0, long + 1), place), place.setting).slice(0, -1), ...byId]
}

function partsOf({ field, takes, isDescending }: OrderedField, collection: Collection): SortPart[] {
  const leaf = leafNamed(field, collection)
  return leaf ? takes.map((keyType) => ({ steps: [], leaf, keyType, isDescending })) : []
}

const NO_FIELDS: ReadonlySet<IndexedField> = new Set()
