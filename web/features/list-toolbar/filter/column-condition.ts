import { type Field, type FieldShape, shapeOf } from '#domain/fields/field.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import { readDayText } from '#domain/fields/date-text.ts'
import {
  type Comparison,
  type Filter,
  type FilterLiteral,
  isFieldOperand,
  isList,
  type Operator,
} from '#domain/query/filter/filter.ts'
import { EVERYTHING, parseFilter } from '#domain/query/filter/parse-filter.ts'
import { t } from '#web/i18n/t.ts'
import { LOCAL_FORMAT, readLocalNumber, typedNumber } from '#web/shared/formatting/local-format.ts'

/** For every field type, parsing a printed condition returns the same condition. */
type ColumnFilterFormat = {
  /** Returns undefined for incomplete input. */
  readonly read: (typed: string, field: string) => Comparison | undefined
  readonly print: (condition: Comparison) => string
  readonly placeholder: string
}

const COMPARISON_SIGNS: readonly Operator[] = ['>=', '<=', '!=', '>', '<', '=']

/** Splits input such as `>= 5` and `5..10` into its parts. */
function signOf(typed: string): { readonly op: Operator; readonly rest: string } {
  const text = typed.trim()
  const op = COMPARISON_SIGNS.find((sign) => text.startsWith(sign))
  return op === undefined ? { op: '=', rest: text } : { op, rest: text.slice(op.length).trim() }
}

/** Parses a value, comparison or range; `valueOf` returns undefined for invalid values. */
function readOrdered(
  typed: string,
  field: string,
  valueOf: (text: string) => string | number | undefined,
): Comparison | undefined {
  const [from = '', to] = typed.split('..')
  if (to !== undefined) {
    const low = valueOf(from.trim())
    const high = valueOf(to.trim())
    return low === undefined || high === undefined ? undefined : { field, op: 'between', value: [low, high] }
  }
  const { op, rest } = signOf(typed)
  const value = valueOf(rest)
  return value === undefined ? undefined : { field, op, value }
}

function printOrdered({ op, value }: Comparison): string {
  if (isList(value)) return op === 'between' ? value.map(printLiteral).join('..') : ''
  if (value === undefined || isFieldOperand(value)) return ''
  const text = printLiteral(value)
  return op === '=' ? text : COMPARISON_SIGNS.includes(op) ? `${op}${text}` : ''
}

function printLiteral(value: FilterLiteral): string {
  if (typeof value === 'number') return typedNumber(value)
  return typeof value === 'object' ? value.marker : String(value)
}

const lastDayOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Parses dates; a year or month covers all of its days. */
function readDays(typed: string, field: string): Comparison | undefined {
  const text = typed.trim()
  if (/^\d{4}$/.test(text)) return { field, op: 'between', value: [`${text}-01-01`, `${text}-12-31`] }
  const [, year = '', month = ''] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (month !== '')
    return { field, op: 'between', value: [`${text}-01`, `${text}-${lastDayOf(Number(year), Number(month))}`] }
  return readOrdered(text, field, (day) => readDayText(day, LOCAL_FORMAT.dayOrder))
}

function printDays(condition: Comparison): string {
  const text = printOrdered(condition)
  const [, year, month, lastYear, lastMonth] = /^(\d{4})-(\d\d)-01\.\.(\d{4})-(\d\d)-(?:28|29|30|31)$/.exec(text) ?? []
  if (year === undefined || year !== lastYear) return text
  if (month === '01' && lastMonth === '12') return year
  return month === lastMonth ? `${year}-${month}` : text
}

const CONTAINS: ColumnFilterFormat = {
  read: (typed, field) => (typed.trim() === '' ? undefined : { field, op: '~', value: typed.trim() }),
  print: ({ op, value }) => (op === '~' && typeof value === 'string' ? value : ''),
  placeholder: t('Contains'),
}

const NUMBERS: ColumnFilterFormat = {
  read: (typed, field) => readOrdered(typed, field, readLocalNumber),
  print: printOrdered,
  placeholder: '5 or 5..10',
}

const DAYS: ColumnFilterFormat = { read: readDays, print: printDays, placeholder: '2001-03' }

const CHOSEN: ColumnFilterFormat = {
  read: (typed, field) => (typed === '' ? undefined : { field, op: '=', value: typed }),
  print: ({ op, value }) => (op === '=' && typeof value === 'string' ? value : ''),
  placeholder: t('Any'),
}

const YES_NO: ColumnFilterFormat = {
  read: (typed, field) => (typed === '' ? undefined : { field, op: '=', value: typed === 'true' }),
  print: ({ op, value }) => (op === '=' && typeof value === 'boolean' ? String(value) : ''),
  placeholder: t('Any'),
}

/** For fields that can only be filtered by whether they have a value. */
const PRESENCE: ColumnFilterFormat = {
  read: (typed, field) => {
    if (typed === '') return undefined
    return { field, op: typed === 'empty' ? 'is empty' : 'is not empty' }
  },
  print: ({ op }) => (op === 'is empty' ? 'empty' : op === 'is not empty' ? 'filled' : ''),
  placeholder: t('Any'),
}

const COLUMN_FILTERS: { readonly [Shape in FieldShape]: ColumnFilterFormat } = {
  text: CONTAINS,
  document: CONTAINS,
  record: CONTAINS,
  person: CONTAINS,
  file: CONTAINS,
  number: NUMBERS,
  date: DAYS,
  'date-time': DAYS,
  option: CHOSEN,
  boolean: YES_NO,
  json: PRESENCE,
  formula: PRESENCE,
}

export const columnFilterOf = (field: Pick<Field, 'kind'>): ColumnFilterFormat => COLUMN_FILTERS[shapeOf(field)]

export const columnText = (field: Field, condition: Comparison | undefined): string =>
  condition === undefined ? '' : columnFilterOf(valueField(field)).print(condition)

const isComparison = (filter: Filter): filter is Comparison => 'field' in filter

/** Returns undefined if the text is invalid. */
export function treeOf(text: string): Filter | undefined {
  const parsed = parseFilter(text)
  return parsed.ok ? parsed.value.filter : undefined
}

function conjuncts(filter: Filter): readonly Filter[] {
  return 'all' in filter ? filter.all : [filter]
}

type Named = { readonly id: string; readonly name: string }

/** The top-level condition that involves only this field; undefined if there are several. */
export function columnCondition(filter: Filter, { id, name }: Named): Comparison | undefined {
  const own = conjuncts(filter)
    .filter(isComparison)
    .filter((condition) => condition.field === name || condition.field === id)
    .filter(({ value }) => !isFieldOperand(value))
  return own.length === 1 ? own[0] : undefined
}

/** Replaces the top-level condition for this field, or removes it if `condition` is undefined. */
export function withColumnCondition(filter: Filter, field: Named, condition: Comparison | undefined): Filter {
  const before = columnCondition(filter, field)
  const parts = conjuncts(filter)
  const at = before === undefined ? -1 : parts.indexOf(before)
  if (condition === undefined) return at < 0 ? filter : joined(parts.toSpliced(at, 1))
  return joined(at < 0 ? [...parts, condition] : parts.with(at, condition))
}

function joined(parts: readonly Filter[]): Filter {
  const [only] = parts
  if (only === undefined) return EVERYTHING
  return parts.length === 1 ? only : { all: parts }
}

export function conditionCount(filter: Filter): number {
  const parts = 'all' in filter ? filter.all : 'any' in filter ? filter.any : undefined
  return parts ? parts.reduce((count, part) => count + conditionCount(part), 0) : 1
}
