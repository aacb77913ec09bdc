import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { foldedText } from '#domain/fields/folded-text.ts'
import type { Bound, Leaf, Range, Scalar, Test } from '#domain/query/check/checked-filter.ts'
import { prefixUpperBound } from '#domain/shared/compare-values.ts'
import type { Dialect } from '#server/platform/database/database.ts'
import {
  entriesOf,
  entryOfRow,
  hasTextOrder,
  isListLeaf,
  namingTable,
  prefixExpression,
  prefixOfText,
  isLongText,
  fitsInPrefix,
} from '#server/query/sql/leaf-columns.ts'
import { leafFold, leafValue } from './formula/leaf-value.ts'
import {
  type Condition,
  type SqlContext,
  type SqlOptions,
  allOf,
  anyOf,
  bound,
  column,
  entryAt,
} from '#server/query/sql/sql-context.ts'

/** Whether a value passes a test; for a list, whether any entry passes. Null if the value is empty. */
export function compileTest(test: Test, leaf: Leaf, place: SqlContext): Condition {
  return isListLeaf(leaf) ? testEntries(test, leaf, place) : testColumn(test, leaf, place)
}

export const compileEmpty = (leaf: Leaf, place: SqlContext): Condition => sql`${leafValue(leaf, place)} is null`

function testColumn(test: Test, leaf: Leaf, place: SqlContext): Condition {
  const value = leafValue(leaf, place)
  switch (test.is) {
    case 'filled':
      return sql`${value} is not null`
    case 'oneOf':
      return isLongText(leaf) ? equalsText(value, test.values, place) : equalsOne(value, test.values, place)
    case 'within':
      return anyOf(test.ranges.map((range) => withinRange(range, leaf, place)))
    case 'starts':
    case 'contains':
    case 'ends':
      return readColumn(test, leaf, place)
  }
}

type Reading = Extract<Test, { is: 'contains' | 'starts' | 'ends' }>

function readColumn(test: Reading, leaf: Leaf, place: SqlContext): Condition {
  const { dialect } = place
  const naming = namingTable(leaf)
  if (naming === undefined) return readText(test, leafFold(leaf, place), dialect, isLongText(leaf))
  const holds = compareNames(test, dialect)
  return sql`${leafValue(leaf, place)} in (select n.id from ${sql.table(naming)} as n where ${holds})`
}

const compareNames = (test: Reading, dialect: Dialect): Condition =>
  readText(test, sql.ref('n.name_fold'), dialect, false)

const readText = ({ is, folded }: Reading, text: RawBuilder<unknown>, dialect: Dialect, isLong: boolean): Condition =>
  is === 'starts' ? startsWith(text, folded, dialect, isLong) : compareFolded(dialect, is, text, folded)

function testEntries(test: Test, leaf: Leaf, place: SqlContext): Condition {
  const level = place.level + 1
  const value = column(entryAt(level), 'value')
  const entries = entriesOf(leaf, level)
  const ofThisRow = entryOfRow(level, place.level)
  switch (test.is) {
    case 'filled':
      return sql`exists (select 1 from ${entries} where ${ofThisRow})`
    case 'oneOf':
      return sql`exists (select 1 from ${entries} where ${ofThisRow} and ${equalsOne(value, test.values, place)})`
    case 'within':
      // No operator compares the IDs of a list by range.
      return sql`1 = 0`
    case 'contains':
    case 'starts':
    case 'ends': {
      const naming = sql.table(namingTable(leaf) ?? 'assets')
      const holds = compareNames(test, place.dialect)
      return sql`exists (select 1 from ${entries} join ${naming} as n on n.id = ${value} where ${ofThisRow} and ${holds})`
    }
  }
}

function equalsOne(value: Expression<unknown>, values: readonly Scalar[], setting: SqlOptions): Condition {
  const [only] = values
  if (only === undefined) return sql`1 = 0`
  if (values.length === 1) return sql`${value} = ${bound(setting, only)}`
  return sql`${value} in (${sql.join(values.map((each) => bound(setting, each)))})`
}

function equalsText(value: RawBuilder<unknown>, values: readonly Scalar[], setting: SqlOptions): Condition {
  const equal = equalsOne(value, values, setting)
  if (setting.dialect === 'sqlite' || values.length === 0) return equal
  const beginnings = new Set(values.map((each) => prefixOfText(String(each))))
  return allOf([equalsOne(prefixExpression(value), [...beginnings], setting), equal])
}

/** A prefix match as a range that an index can serve: from the prefix to the first text that doesn't start with it. */
function startsWith(folded: RawBuilder<unknown>, needle: string, dialect: Dialect, isLong: boolean): Condition {
  if (needle === '') return sql`${folded} is not null`
  const text = dialect === 'postgres' && isLong && fitsInPrefix(needle) ? prefixExpression(folded) : folded
  const end = prefixUpperBound(needle)
  return allOf([sql`${text} >= ${needle}`, ...(end === undefined ? [] : [sql<SqlBool>`${text} < ${end}`])])
}

function withinRange({ from, to }: Range, leaf: Leaf, place: SqlContext): Condition {
  return allOf([
    ...(from ? [beyond(from, from.isIncluded ? '>=' : '>', leaf, place)] : []),
    ...(to ? [beyond(to, to.isIncluded ? '<=' : '<', leaf, place)] : []),
  ])
}

/** Texts are compared in sort order: by folded form, then by exact text. */
function beyond({ value }: Bound, sign: '<' | '<=' | '>' | '>=', leaf: Leaf, place: SqlContext): Condition {
  const own = leafValue(leaf, place)
  const to = bound(place, value)
  if (!hasTextOrder(leaf)) return sql`${own} ${sql.raw(sign)} ${to}`
  const folded = leaf.type === 'field' ? foldedText(leaf.field.kind, String(value)) : String(value)
  const fold = leafFold(leaf, place)
  return place.dialect === 'postgres' && isLongText(leaf)
    ? sql`(${prefixExpression(fold)}, ${fold}, ${own}) ${sql.raw(sign)} (${prefixOfText(folded)}, ${folded}, ${to})`
    : sql`(${fold}, ${own}) ${sql.raw(sign)} (${folded}, ${to})`
}

/**
 * Finds a folded text in a folded column, by code point and without wildcards, so that `%` and `_` are literals. A
 * trigram index only finds candidate rows; this condition decides.
 */
function compareFolded(
  dialect: Dialect,
  is: 'contains' | 'ends',
  folded: Expression<unknown>,
  needle: string,
): Condition {
  if (needle === '') return sql`${folded} is not null`
  const length = [...needle].length
  switch (is) {
    case 'contains':
      return dialect === 'postgres' ? sql`strpos(${folded}, ${needle}) > 0` : sql`instr(${folded}, ${needle}) > 0`
    case 'ends':
      return sql`substr(${folded}, length(${folded}) - ${sql.lit(length - 1)}) = ${needle}`
  }
}
