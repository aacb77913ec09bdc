import { type RawBuilder, sql } from 'kysely'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import { holdsList, isStored } from '#domain/fields/field.ts'
import { formulaInputs } from '#domain/formulas/formula-inputs.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import { isSystemField } from '#domain/fields/system-fields.ts'
import { computedAt, isIndexable, type Leaf, leafOf, systemLeaf } from '#domain/query/check/checked-filter.ts'
import { fullyVisible, leafIn } from '#domain/query/check/query-context.ts'
import { type SortPart, optionsAt, endWithId } from '#domain/query/list/sort.ts'
import {
  type IndexSpec,
  type IndexedField,
  type OrderedField,
  fieldOf,
  fieldsOfIndex,
  idOfIndexedField,
} from '#domain/query/list/index-selection.ts'
import type { Dialect } from '#server/platform/database/database.ts'
import { type ColumnNames, tableOf } from '#server/query/sql/sql-context.ts'
import { columnsOfRuns, runsOf } from './compile-order.ts'
import { columnOfInput } from './formula/compile-formula.ts'
import { foldIn, valueIn } from './formula/leaf-value.ts'
import { hasTextOrder, valueColumn, prefixExpression, isLongText } from '#server/query/sql/leaf-columns.ts'

/** Maximum number of index columns; more would slow down every write without helping any query. */
const MAX_COLUMNS = 12

/**
 * The `create index` statement, with the same expressions as queries; undefined if a field was deleted, its options
 * were reordered, or the database doesn't support the index.
 */
export function compileIndex(
  name: string,
  spec: IndexSpec,
  context: IndexContext & { readonly dialect: Dialect },
): RawBuilder<unknown> | undefined {
  const { collection, dialect } = context
  if (!fitsCollection(spec, context)) return undefined
  const { keys, read } = columnsOf(spec, context, dialect)
  const isApart = dialect === 'postgres' && keys.length > 0
  const columns = (isApart ? keys : [...keys, ...read]).slice(0, MAX_COLUMNS)
  if (columns.length === 0) return undefined
  const table = sql.table(tableOf(collection.id))
  const isConcurrent = dialect === 'postgres' ? sql` concurrently` : sql``
  const included = isApart && read.length > 0 ? sql` include (${sql.join(read)})` : sql``
  return sql`create index${isConcurrent} ${sql.id(name)} on ${table} (${sql.join(columns)})${included}`
}

/** The workspace's time zone, which formulas depend on. */
export type IndexContext = { readonly collection: Collection; readonly timeZone: string }

export function fitsCollection(spec: IndexSpec, context: IndexContext): boolean {
  const isThere = fieldsOfIndex(spec).every((field) => leafNamed(field, context) !== undefined)
  return isThere && spec.order.every((ordered) => hasSameOptionOrder(ordered, context))
}

function hasSameOptionOrder({ field, places }: OrderedField, context: IndexContext): boolean {
  const leaf = leafNamed(field, context)
  const choices = leaf ? optionsAt(leaf).map(({ id }) => id) : []
  return places === undefined || choices.join() === places.join()
}

/** Formulas must still have the program for which the index was requested. */
function leafNamed(name: IndexedField, { collection, timeZone }: IndexContext): Leaf | undefined {
  if (isSystemField(name)) return systemLeaf(name)
  const field = fieldById(collection, idOfIndexedField(name))
  if (field?.kind === 'formula') {
    const leaf = leafIn(fullyVisible(collection, { now: new Date(0), timeZone }), field)
    return fieldOf(leaf) === name && isIndexable(leaf) ? leaf : undefined
  }
  return field && !holdsList(field) && isStored(field) ? leafOf(valueField(field), null) : undefined
}

type Columns = { readonly keys: readonly RawBuilder<unknown>[]; readonly read: readonly RawBuilder<unknown>[] }

function columnsOf(spec: IndexSpec, context: IndexContext, dialect: Dialect): Columns {
  const leaves = (names: readonly IndexedField[]) => names.flatMap((name) => leafNamed(name, context) ?? [])
  const asTexts = (leaf: Leaf) => textColumns(leaf, dialect)
  const grouped = leaves(spec.grouped)
  // PostgreSQL's indexes don't contain full texts, and it reads the records anyway to group or summarize expressions.
  const isReadAnyway = (leaf: Leaf) => isLongText(leaf) || computedAt(leaf) !== undefined
  const isOfNoUse = grouped.some(isReadAnyway) || leaves(spec.covered).some((leaf) => computedAt(leaf) !== undefined)
  if (dialect === 'postgres' && isOfNoUse) return { keys: [], read: [] }
  return {
    keys: [
      ...leaves(spec.equal).map((leaf) => valueColumnOf(leaf, dialect)),
      ...grouped.flatMap(asTexts),
      ...leaves(spec.range === null ? [] : [spec.range]).flatMap(asTexts),
      ...orderColumns(spec, context, dialect),
    ],
    read:
      dialect === 'postgres'
        ? readOnPostgres(spec, leaves)
        : leaves(spec.covered).map((leaf) => valueColumnOf(leaf, dialect)),
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
  // PostgreSQL allows only columns there.
  const columns = leaves(read)
    .filter((leaf) => !isLongText(leaf) && computedAt(leaf) === undefined)
    .map(valueColumn)
  const inputs = leaves([...keys, ...order.map(({ field }) => field)]).flatMap(inputColumns)
  return [...new Set([...columns, ...inputs])].map((name) => sql.id(name))
}

/**
 * PostgreSQL reads only the index if it also contains the columns from which the formula is computed, unless they are
 * long texts.
 */
function inputColumns(leaf: Leaf): readonly string[] {
  const computed = computedAt(leaf)
  const inputs = computed ? formulaInputs(computed.expression) : []
  const isLong = inputs.some((input) => input.node === 'field' && isLongText(leafOf(input.field, null)))
  return isLong ? [] : inputs.map(columnOfInput)
}

type LeavesNamed = (names: readonly IndexedField[]) => readonly Leaf[]

function valueColumnOf(leaf: Leaf, dialect: Dialect): RawBuilder<unknown> {
  const value = valueIn(leaf, { dialect }, ownColumn)
  return dialect === 'postgres' && isLongText(leaf) ? sql`(${prefixExpression(value)})` : value
}

const ownColumn: ColumnNames = (name) => sql.id(name)

/** Texts are indexed in the order in which they are sorted and compared: by folded form, then by exact text. */
function textColumns(leaf: Leaf, dialect: Dialect): RawBuilder<unknown>[] {
  const [fold, value] = [foldIn(leaf, { dialect }, ownColumn), valueIn(leaf, { dialect }, ownColumn)]
  if (isLongText(leaf) && dialect === 'postgres') return [sql`(${prefixExpression(fold)})`]
  if (isLongText(leaf) && !hasTextOrder(leaf)) return [fold]
  return hasTextOrder(leaf) ? [fold, value] : [value]
}

/** Prefixes of texts in an index on PostgreSQL; with 800 bytes each, more of them might not fit in an entry. */
const MAX_PREFIXES = 3

/**
 * The sort columns of a list. PostgreSQL indexes contain only prefixes of long texts: of the first one, folded and exact,
 * followed by the ID.
 */
function orderColumns(spec: IndexSpec, context: IndexContext, dialect: Dialect): RawBuilder<unknown>[] {
  const sort = spec.order.flatMap((ordered) => partsOf(ordered, context))
  const setting = { dialect, isByPrefix: true }
  const place = { setting, names: ownColumn, home: context.collection.id, fixed: NO_FIELDS }
  if (dialect === 'sqlite') return columnsOfRuns(runsOf(sort, place), place.setting)
  const long = sort.findIndex(({ leaf, keyType }) => keyType === 'fold' && isLongText(leaf))
  const byId = columnsOfRuns(runsOf(endWithId([]), place), place.setting)
  if (long === -1) return [...columnsOfRuns(runsOf(sort, place), place.setting), ...byId]
  const others = [...spec.equal, ...(spec.range === null ? [] : [spec.range])].flatMap(
    (name) => leafNamed(name, context) ?? [],
  )
  const hasRoom = others.filter(isLongText).length + 2 <= MAX_PREFIXES
  const isExactNext = sort[long + 1]?.leaf === sort[long]?.leaf
  const end = long + (hasRoom && isExactNext ? 2 : 1)
  return [...columnsOfRuns(runsOf(sort.slice(0, end), place), place.setting), ...byId]
}

function partsOf({ field, takes, isDescending }: OrderedField, context: IndexContext): SortPart[] {
  const leaf = leafNamed(field, context)
  return leaf ? takes.map((keyType) => ({ steps: [], leaf, keyType, isDescending })) : []
}

const NO_FIELDS: ReadonlySet<IndexedField> = new Set()
