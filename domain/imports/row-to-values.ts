import { type Collection, canBeTitle } from '../collections/collection.ts'
import { type Field, type FieldValue, holdsList, shapeOf } from '../fields/field.ts'
import type { ValueFault, TextFormat } from '../fields/field-kind.ts'
import { emptyValue, isEmptyValue, parseValue, startingValue } from '../fields/kinds.ts'
import { namesIn } from '../fields/select.ts'
import type { FormulaCalendar } from '../formulas/expression.ts'
import type { FieldId } from '../shared/ids.ts'
import { detachString } from '#domain/shared/text.ts'
import type { Result } from '../shared/result.ts'
import type { RecordValues } from '../records/record.ts'
import { unguardFormula } from './print-csv.ts'
import { LIST_SEPARATORS, parseList, printList } from '../shared/list-text.ts'

export type MappedColumn = {
  readonly at: number
  readonly header: string
  readonly field: FieldId
  /** Text format; without it, only unambiguous texts are accepted. */
  readonly format?: TextFormat | undefined
  /** Text replacements; applied to each entry if cells contain lists. */
  readonly replace?: readonly Replacement[] | undefined
  /** Whether text that can’t be parsed is imported as empty. */
  readonly emptyUnreadable?: boolean | undefined
}

export type Replacement = { readonly from: string; readonly to: string }

/** Key column, which identifies the record by a field's value, or by record ID if `field` is `id`. */
export type KeyColumn = MappedColumn

export type RowPlan = {
  readonly collection: Collection
  readonly columns: readonly MappedColumn[]
  readonly width: number
  /** A row whose key matches a record updates it; without a key column, every row creates a record. */
  readonly key?: KeyColumn
  /** For default values that are calculated; absent if only given values are read. */
  readonly calendar?: FormulaCalendar
}

/** `at`: column index, or null for the whole row; `text`: the rejected text. */
export type RowFault = ValueFault & { readonly at: number | null; readonly column: string; readonly text: string }

/** One value per field; names in reference fields aren't resolved yet. */
export type RowResult =
  | {
      readonly ok: true
      readonly values: readonly FieldValue[]
      readonly titles: readonly (readonly string[])[]
      /** null for new records and for imports without a key column. */
      readonly key: string | number | null
      /** Required values that are missing if the row creates a record; only in rows with a key. */
      readonly missing: readonly RowFault[]
    }
  | { readonly ok: false; readonly faults: readonly RowFault[]; readonly titles: readonly (readonly string[])[] }

export type ReferenceField = Field<'relation'> | Field<'user'>

/**
 * `references`: fields whose cells contain names to resolve; `lists`: other list fields with values that differ between
 * rows.
 */
export type RowReader = {
  readonly fields: readonly Field[]
  /** Number of fields set from the file; all later fields get default values. */
  readonly mappedCount: number
  readonly references: readonly ReferenceField[]
  readonly lists: readonly Field[]
  readonly read: (cells: readonly string[]) => RowResult
}

const MAX_MEMOIZED = 2_000

/** Calculates default values; passed as an argument, because the browser reads rows without them. */
type StartingValues = (fields: readonly Field[], given: RecordValues, calendar: FormulaCalendar) => RecordValues

export function createRowReader(plan: RowPlan, startingValues?: StartingValues): RowReader {
  const readers = plan.columns.flatMap((column) => {
    const field = plan.collection.fields.find((each) => each.id === column.field)
    return field ? [columnReader(column, field, plan.key !== undefined)] : []
  })
  const mapped = new Set(plan.columns.map((column) => column.field))
  const defaulted = plan.collection.fields.filter((field) => !mapped.has(field.id) && hasDefault(field))
  const mappedFields = readers.map((reader) => reader.field)
  const readDefaults = defaultReader(plan, { mapped: mappedFields, defaulted }, startingValues)

  const readKey = plan.key ? keyReader(plan.collection, plan.key) : () => null
  const read = (cells: readonly string[]): RowResult => {
    const into: Reading = { values: [], titles: [], faults: [] }
    const { values, titles, faults } = into
    const extraCells = cells.length > plan.width ? extraCellsFault(cells, plan.width) : undefined
    if (extraCells) faults.push(extraCells)
    for (const reader of readers) reader(cells, into)
    const key = readKey(cells, faults)
    const missing = faults.length === 0 ? readDefaults(values) : []
    if (key === null) faults.push(...missing)
    if (faults.length > 0) return { ok: false, faults, titles }
    return { ok: true, values, titles, key, missing }
  }
  return {
    fields: [...mappedFields, ...defaulted],
    mappedCount: mappedFields.length,
    references: mappedFields.filter(isReference),
    lists: mappedFields.filter((field) => holdsList(field) && !isReference(field)),
    read,
  }
}

const hasDefault = (field: Field): boolean => field.defaultFormula !== undefined || !isEmptyValue(startingValue(field))

type RowFields = { readonly mapped: readonly Field[]; readonly defaulted: readonly Field[] }

/**
 * Adds the default values of a row, of which formulas are calculated from the other values. Returns the required values
 * that a new record would lack.
 */
function defaultReader(
  { collection, calendar }: RowPlan,
  { mapped, defaulted }: RowFields,
  startingValues: StartingValues | undefined,
): (values: FieldValue[]) => readonly RowFault[] {
  if (!startingValues || !calendar || defaulted.every(({ defaultFormula }) => defaultFormula === undefined)) {
    const constants = defaulted.map(startingValue)
    return (values) => {
      values.push(...constants)
      return []
    }
  }
  return (values) => {
    const given = Object.fromEntries(mapped.map(({ id }, at) => [id, values[at] ?? null]))
    const all = startingValues(collection.fields, given, calendar)
    const added = defaulted.map((field) => all[field.id] ?? emptyValue(field))
    values.push(...added)
    return defaulted.flatMap(({ required, label }, at) =>
      required && isEmptyValue(added[at] ?? null) ? [{ at: null, column: label, text: '', ...MISSING }] : [],
    )
  }
}

const isReference = (field: Field): field is ReferenceField => field.kind === 'relation' || field.kind === 'user'

type Reading = { readonly values: FieldValue[]; readonly titles: string[][]; readonly faults: RowFault[] }
type CellReader = (cells: readonly string[], into: Reading) => void
type ColumnReader = CellReader & { readonly field: Field }

const columnReader = (column: MappedColumn, field: Field, keepsEmpty: boolean): ColumnReader =>
  Object.assign(isReference(field) ? referenceReader(column, field) : valueReader(column, field, keepsEmpty), { field })

function referenceReader(column: MappedColumn, field: ReferenceField): CellReader {
  const { at, format } = column
  const replaced = replacer(column, field)
  const reject = rejecter(column, field)
  const empty = emptyValue(field)
  return (cells, into) => {
    const text = replaced(cells[at] ?? '')
    const titles = titlesIn(field, text, format)
    if (field.required && titles.length === 0) reject(into, [{ ...MISSING, text }])
    into.titles.push(titles)
    into.values.push(empty)
  }
}

function valueReader(column: MappedColumn, field: Field, keepsEmpty: boolean): CellReader {
  const { at, format, emptyUnreadable } = column
  const parse = parserOf(field, format)
  const replaced = replacer(column, field)
  const reject = rejecter(column, field)
  const empty = emptyValue(field)
  // If a row has no status, an update keeps the current status and a new record gets the first status.
  const whenEmpty = field.kind === 'state' && !keepsEmpty ? startingValue(field) : empty
  return (cells, into) => {
    const text = replaced(cells[at] ?? '')
    const parsed = parse(text)
    if (!parsed.ok && emptyUnreadable !== true) return reject(into, rejectedTexts(field, text, parsed.fault, format))
    const value = parsed.ok ? parsed.value : empty
    const isEmpty = isEmptyValue(value)
    if (isEmpty && field.required) return reject(into, [{ ...MISSING, text }])
    into.values.push(isEmpty ? whenEmpty : value)
  }
}

const rejecter =
  ({ at, header }: MappedColumn, field: Field) =>
  (into: Reading, faults: readonly RejectedText[]): void => {
    for (const fault of faults) into.faults.push({ at, column: nameOf(header, field), ...fault })
  }

type RejectedText = ValueFault & { readonly text: string }

/** Each unknown option of a list is a separate error. */
function rejectedTexts(field: Field, text: string, fault: ValueFault, format?: TextFormat): readonly RejectedText[] {
  if (field.kind !== 'multi-select') return [{ ...fault, text }]
  return entriesIn(field, text, format).flatMap((name): RejectedText[] => {
    const read = parseValue(field, printList([name]), { separator: LIST_SEPARATORS[0] })
    return read.ok ? [] : [{ ...read.fault, text: name }]
  })
}

/** Applies text replacements; in list fields, they apply to each entry. */
function replacer(
  { replace = [], format }: Pick<MappedColumn, 'format' | 'replace'>,
  field: Field,
): (text: string) => string {
  if (replace.length === 0) return (text) => text
  const texts = new Map(replace.map(({ from, to }) => [from.trim(), to]))
  const replaced = (text: string): string => texts.get(text.trim()) ?? text
  if (!holdsList(field)) return replaced
  return (cell) => texts.get(cell.trim()) ?? printList(entriesIn(field, cell, format).map(replaced), format?.separator)
}

/** Names parsed from the cells of a column. */
export function entryReader(
  column: Pick<MappedColumn, 'format' | 'replace'>,
  field: Field,
): (cell: string) => readonly string[] {
  const replaced = replacer(column, field)
  return (cell) =>
    holdsList(field) ? entriesIn(field, replaced(cell), column.format) : [unguardFormula(replaced(cell))]
}

function entriesIn(field: Field, cell: string, format: TextFormat = {}): readonly string[] {
  const text = unguardFormula(cell)
  return field.kind === 'multi-select' ? namesIn(text, field, format.separator) : parseList(text, format.separator)
}

const nameOf = (header: string, field: Field): string => (header.trim() === '' ? field.label : header.trim())

type KeyReader = (cells: readonly string[], faults: RowFault[]) => string | number | null

/** An empty ID or auto number creates a record; other key fields must not be empty. */
function keyReader(collection: Collection, { at, header, field: keyField, format }: KeyColumn): KeyReader {
  if (keyField === 'id') return (cells) => cells[at]?.trim() || null
  const field = collection.fields.find((each) => each.id === keyField)
  if (!field) return () => null
  const parse = parserOf(field, format)
  return (cells, faults) => {
    const text = cells[at] ?? ''
    const isAutoNumber = field.kind === 'auto-number'
    if (isAutoNumber && text.trim() === '') return null
    const parsed = parse(text)
    const fault = parsed.ok ? NO_KEY : parsed.fault
    const value = parsed.ok && !isEmptyValue(parsed.value) ? parsed.value : null
    if (typeof value === 'string' || typeof value === 'number') return value
    // Other invalid values have already been reported with their columns.
    if (parsed.ok || isAutoNumber) faults.push({ at, column: nameOf(header, field), text, ...fault })
    return null
  }
}

const NO_KEY: ValueFault = { code: 'required', message: 'This field is required: it identifies the record.' }

/** The key field doesn't have to be unique, but rows whose value matches several records are rejected. */
export const canBeKey = ({ kind }: Pick<Field, 'kind'>): boolean => canBeTitle(kind)

const MISSING: ValueFault = { code: 'required', message: 'This field is required.' }

/** Single-value fields use the cell unchanged; list fields split it. */
function titlesIn(field: ReferenceField, cell: string, { separator }: TextFormat = {}): string[] {
  const text = unguardFormula(cell).trim()
  if (text === '') return []
  return holdsList(field) ? [...new Set(parseList(text, separator))] : [text]
}

type Parse = (text: string) => Result<FieldValue, ValueFault>

/** Only free text can be escaped. Options repeat often, so their parsed values are cached. */
function parserOf(field: Field, format?: TextFormat): Parse {
  switch (shapeOf(field)) {
    case 'text':
    case 'document':
    case 'json':
      return (text) => parseValue(field, unguardFormula(text))
    case 'option':
      return memoized((text) => parseValue(field, unguardFormula(text), format))
    case 'number':
    case 'boolean':
    case 'date':
    case 'date-time':
    case 'record':
    case 'person':
    case 'file':
    case 'formula':
      return (text) => parseValue(field, text, format)
  }
}

function memoized(parse: Parse): Parse {
  const known = new Map<string, Result<FieldValue, ValueFault>>()
  return (text) => {
    const found = known.get(text)
    if (found) return found
    if (known.size >= MAX_MEMOIZED) return parse(text)
    const own = detachString(text)
    const parsed = parse(own)
    known.set(own, parsed)
    return parsed
  }
}

/** Extra non-empty cells usually indicate an unquoted delimiter. */
function extraCellsFault(cells: readonly string[], width: number): RowFault | undefined {
  const isHarmless = cells.slice(width).every((cell) => cell.trim() === '')
  if (isHarmless) return undefined
  return {
    at: null,
    column: '',
    code: 'extra-cells',
    text: '',
    message: `The row has ${cells.length} cells, but the file has ${width} columns. Put cells that contain the delimiter in quotation marks.`,
  }
}
