import { type Field, shapeOf } from '#domain/fields/field.ts'
import type { TextFormat } from '#domain/fields/field-kind.ts'
import { emptyValue, hasDefault } from '#domain/fields/kinds.ts'
import { apiValue, DEFAULT_FORM } from '#domain/records/named-values.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { CellTable, GridFill } from '#web/ui/grid/editing/grid-editing.ts'
import { quoted } from '#web/i18n/quoted.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { uniqueNames, type UnknownOptions, unknownOptionsIn } from './resolve-names.ts'
import { type CellChange, type RecordCellError, sameShown } from '#web/shared/cell-editing/store/cell-edits.ts'
import { type ParsedText, parseTexts, type ResolveNames } from './paste-values.ts'
import { canBeCleared, canBeWritten, isWritable } from '#web/shared/fields/editable-cells.ts'
import { fillSeries } from '#web/ui/grid/selection/fill-series.ts'
import { cellText, isEmptyClientValue } from '#web/shared/fields/client-value.ts'
import { traitsOf } from '#web/shared/fields/kinds.ts'

type FieldFill = {
  /** The selected values, in list order. */
  readonly given: readonly unknown[]
  readonly count: number
  readonly how: 'series' | 'copy'
  readonly isBackwards: boolean
}

/** Extends a series or repeats the given values; the caller parses the result. */
export function filledValues(field: Field, { given, count, how, isBackwards }: FieldFill): readonly unknown[] {
  const { continuesSeries } = traitsOf(field)
  const isFilled = (value: unknown) => !isEmptyClientValue(field.kind, value)
  if (how !== 'series' || !continuesSeries || !given.every(isFilled)) return repeated(given, count, isBackwards)
  const texts = fillSeries({ given: given.map(String), count, how, isBackwards })
  return shapeOf(field) === 'number'
    ? texts.map((text) => (text === '' ? null : Number(text)))
    : texts.map((text) => text || null)
}

function repeated(given: readonly unknown[], count: number, isBackwards: boolean): readonly unknown[] {
  const length = given.length
  const places = Array.from({ length: count }, (_, at) => (isBackwards ? at - count : at))
  return length === 0 ? [] : places.map((place) => given[((place % length) + length) % length])
}

export type Planned = {
  readonly changes: readonly CellChange[]
  /** Values for records to create. */
  readonly make: readonly { readonly values: { readonly [field: string]: unknown } }[]
  /** Number of read-only cells that were skipped. */
  readonly leftOut: number
  /** Errors that prevent the whole operation. */
  readonly faults: readonly RecordCellError[]
  /** The first error as text, for screen readers. */
  readonly firstFault: string | undefined
  /** Texts that don't match an option but could be added as one. */
  readonly unknown: readonly UnknownOptions[]
}

export const NOTHING_PLANNED: Planned = {
  changes: [],
  make: [],
  leftOut: 0,
  faults: [],
  firstFault: undefined,
  unknown: [],
}

/** Undefined for columns that have no field. */
const fieldsOf = ({ fields }: TypedCollection, columnIds: readonly string[]): readonly (Field | undefined)[] =>
  columnIds.map((id) => fields.find((field) => field.id === id))

const emptyValueOf = (field: Field): unknown => apiValue(field, emptyValue(field), DEFAULT_FORM)

/** Undefined if the cell already has the new value. */
export function changeOf({ record }: RecordRow, field: Field, is: unknown): CellChange | undefined {
  const was = record.values[field.name] ?? null
  return sameShown(field, was, is) ? undefined : { record: record.id, field: field.name, was, is }
}

/** Skips required and read-only cells. */
export function clearing(
  collection: TypedCollection,
  lines: readonly RecordRow[],
  columnIds: readonly string[],
): Planned {
  const changes: CellChange[] = []
  let leftOut = 0
  for (const field of fieldsOf(collection, columnIds)) {
    for (const line of lines) {
      const change = field && changeOf(line, field, emptyValueOf(field))
      if (field && !change) continue
      if (field && change && canBeCleared(field) && isWritable(collection, field, line.record)) changes.push(change)
      else leftOut += 1
    }
  }
  return { ...NOTHING_PLANNED, changes, leftOut }
}

export type PasteInput = {
  readonly texts: CellTable
  readonly lines: readonly RecordRow[]
  readonly columnIds: readonly string[]
  readonly newRows: CellTable
}

type Reading = { readonly find: ResolveNames; readonly format: TextFormat }

type PastePlan = {
  readonly changes: CellChange[]
  readonly made: { [field: string]: unknown }[]
  readonly faults: RecordCellError[]
  readonly sentences: string[]
  readonly unknown: UnknownOptions[]
  leftOut: number
}

/** Pastes column by column, so that the names in a column are looked up together. */
export async function pasting(collection: TypedCollection, request: PasteInput, reading: Reading): Promise<Planned> {
  const made = request.newRows.map((): { [field: string]: unknown } => ({}))
  const sheet: PastePlan = { changes: [], made, faults: [], sentences: [], unknown: [], leftOut: 0 }
  for (const [at, field] of fieldsOf(collection, request.columnIds).entries()) {
    if (field && canBeWritten(collection, field)) await pasteColumn({ collection, request, reading, sheet }, field, at)
    else sheet.leftOut += request.lines.length
  }
  const { changes, faults, leftOut, sentences, unknown } = sheet
  return { changes, make: made.map((values) => ({ values })), leftOut, faults, firstFault: sentences[0], unknown }
}

type Pasting = {
  readonly collection: TypedCollection
  readonly request: PasteInput
  readonly reading: Reading
  readonly sheet: PastePlan
}

async function pasteColumn({ collection, request, reading, sheet }: Pasting, field: Field, at: number): Promise<void> {
  const open = request.lines.flatMap((line, row) =>
    isWritable(collection, field, line.record) ? [{ line, text: textAt(request.texts, row, at) }] : [],
  )
  const fresh = request.newRows.map((_, row) => textAt(request.newRows, row, at))
  const values = await parseTexts(collection, field, [...open.map(({ text }) => text), ...fresh], reading)
  sheet.leftOut += request.lines.length - open.length
  if (field.kind === 'select' || field.kind === 'multi-select') {
    const names = uniqueNames(
      [...open.map(({ text }) => text), ...fresh].flatMap((text) => unknownOptionsIn(field, text)),
    )
    if (names.length > 0) sheet.unknown.push({ field, names })
  }

  for (const [place, { line, text }] of open.entries()) {
    const value = values[place]
    const change = value?.ok ? changeOf(line, field, value.value) : undefined
    if (change) sheet.changes.push(change)
    if (value?.ok === false) rejectCell(sheet, field, { line, text, title: titleOf(collection, line) }, value.fault)
  }
  for (const [place, text] of fresh.entries())
    setNewRecordValue(sheet, field, { text, place }, values[open.length + place])
}

/** Empty text means the field's default value. */
function setNewRecordValue(
  sheet: PastePlan,
  field: Field,
  at: { text: string; place: number },
  value: ParsedText | undefined,
): void {
  const isEmpty = at.text.trim() === ''
  const record = sheet.made[at.place]
  if (!value || !record || (isEmpty && hasDefault(field))) return
  if (!value.ok) rejectCell(sheet, field, at, value.fault)
  else if (!isEmpty) record[field.name] = value.value
}

type PlaceOfText =
  | { readonly text: string; readonly line: RecordRow; readonly title: string }
  | { readonly text: string; readonly place: number }

function rejectCell(sheet: PastePlan, field: Field, at: PlaceOfText, message: string): void {
  const record = 'line' in at ? at.line.record.id : ''
  const where = 'line' in at ? quoted(at.title) : t('new record {place}', { place: at.place + 1 })
  sheet.sentences.push(describeCellError(t('{label} in {where}', { label: field.label, where }), at.text, message))
  sheet.faults.push({ record, field: field.name, message })
}

/** Repeats the pasted texts if the selection has more cells. */
function textAt(texts: CellTable, row: number, column: number): string {
  const line = texts[row % texts.length] ?? []
  return line[column % line.length] ?? ''
}

export async function filling(
  collection: TypedCollection,
  { direction, how }: Pick<GridFill, 'direction' | 'how'>,
  cells: {
    readonly from: { readonly lines: readonly RecordRow[]; readonly columnIds: readonly string[] }
    readonly to: { readonly lines: readonly RecordRow[]; readonly columnIds: readonly string[] }
  },
  reading: Reading,
): Promise<Planned> {
  const { from, to } = cells
  if (direction === 'end' || direction === 'start') {
    const texts = from.lines.map((line) => rowTexts(collection, from.columnIds, line, reading.format.decimal))
    const request = { texts: from.lines.map((_, at) => repeatedTo(texts[at] ?? [], to.columnIds.length, direction)) }
    return pasting(collection, { ...request, lines: to.lines, columnIds: to.columnIds, newRows: [] }, reading)
  }
  const changes: CellChange[] = []
  let leftOut = 0
  for (const field of fieldsOf(collection, to.columnIds)) {
    if (!field) {
      leftOut += to.lines.length
      continue
    }
    const given = from.lines.map(({ record }) => record.values[field.name] ?? null)
    const values = filledValues(field, { given, count: to.lines.length, how, isBackwards: direction === 'up' })
    for (const [at, line] of to.lines.entries()) {
      const change = changeOf(line, field, values[at] ?? null)
      if (change && isWritable(collection, field, line.record)) changes.push(change)
      else if (change) leftOut += 1
    }
  }
  return { ...NOTHING_PLANNED, changes, leftOut }
}

const rowTexts = (
  collection: TypedCollection,
  columnIds: readonly string[],
  { record }: RecordRow,
  decimal: string | undefined,
): readonly string[] =>
  fieldsOf(collection, columnIds).map((field) => (field ? cellText(field, record.values[field.name], decimal) : ''))

/** When filling toward the start, shifts the repetition so that it ends with the last given text. */
function repeatedTo(texts: readonly string[], count: number, direction: 'end' | 'start'): readonly string[] {
  const shift = direction === 'start' ? texts.length - (count % texts.length || texts.length) : 0
  return Array.from({ length: count }, (_, at) => texts[(at + shift) % texts.length] ?? '')
}

/** Omits the text if the message already contains it. */
export const describeCellError = (place: string, text: string, message: string): string =>
  text.trim() === '' || message.includes(text.trim().slice(0, 20))
    ? `${place}: ${message}`
    : t('{place}, “{text}”: {message}', { place, text: text.trim().slice(0, 60), message })

function titleOf({ titleField }: TypedCollection, { record }: RecordRow): string {
  const title = titleField === null ? undefined : record.values[titleField]
  return typeof title === 'string' || typeof title === 'number' ? String(title) : t('Untitled')
}
