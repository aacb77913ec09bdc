import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type FieldKind, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { foldedText } from '#domain/fields/folded-text.ts'
import { storedFieldsIn, valueField } from '#domain/formulas/value-field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'
import { plainText } from '#domain/rich-text/plain-text.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { CellValue, CollectionRow, Dialect } from '#server/platform/database/database.ts'
import { type StorageForm, storageForm } from '#server/query/sql/field-storage.ts'
import { columnOf, foldColumnOf, listTableOf, SYSTEM_COLUMNS } from '#server/query/sql/sql-context.ts'

export function cellsOfValue(field: Field, value: FieldValue, dialect: Dialect): { [column: string]: CellValue } {
  const cells = cellsIn(field, value, dialect)
  return Object.fromEntries(columnsOfField(field).map((column, at) => [column, cells[at] ?? null]))
}

export function columnsOfField({ id, kind }: Field): string[] {
  switch (storageForm({ kind })) {
    case 'folded-text':
    case 'document':
    case 'searched-number':
      return [columnOf(id), foldColumnOf(id)]
    case 'text':
    case 'json':
    case 'number':
    case 'boolean':
      return [columnOf(id)]
    case 'list':
    case 'none':
      return []
  }
}

/**
 * The cells of a value in column order; none for values that can't be written. Column names are omitted, because many
 * rows can share them.
 */
export function cellsIn(field: Field, value: FieldValue, dialect: Dialect): CellValue[] {
  const cells: CellValue[] = []
  cellWriter(field, dialect)(cells, value)
  return cells
}

export type CellWriter = (row: CellValue[], value: FieldValue) => void

/** Appends the cells of a field's values to rows, in column order. */
export function cellWriter({ kind }: Field, dialect: Dialect): CellWriter {
  switch (storageForm({ kind })) {
    case 'folded-text':
      return (row, value) => {
        const text = textOf(value)
        row.push(text, text === null ? null : foldedText(kind, text))
      }
    case 'document':
      return (row, value) => {
        row.push(value === null ? null : JSON.stringify(value), isDocument(value) ? foldedPlainText(kind, value) : null)
      }
    case 'searched-number':
      return (row, value) => {
        if (typeof value === 'number') row.push(value, String(value))
        else row.push(null, null)
      }
    case 'number':
      return (row, value) => void row.push(typeof value === 'number' ? value : null)
    case 'boolean':
      return (row, value) => void row.push(dialect === 'postgres' ? value === true : Number(value === true))
    case 'text':
    case 'json':
      return (row, value) => void row.push(textOf(value))
    case 'list':
    case 'none':
      return () => undefined
  }
}

const textOf = (value: FieldValue): string | null => (typeof value === 'string' && value !== '' ? value : null)

function foldedPlainText(kind: FieldKind, document: RichDocument): string | null {
  const text = plainText(document)
  return text === '' ? null : foldedText(kind, text)
}

const isDocument = (value: FieldValue): value is RichDocument =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const valueOfCell = (field: Field, cell: CellValue | undefined): FieldValue => cellReaderOf(field)(cell)

type CellReader = (cell: CellValue | undefined) => FieldValue

/** Reads the values of a field, so that its storage form is determined once per field instead of once per cell. */
function cellReaderOf(computed: Field): CellReader {
  const field = valueField(computed)
  const empty = emptyValue(field)
  const read = READERS[storageForm(field)]
  return (cell) => (cell === null || cell === undefined ? empty : read(cell))
}

const READERS: { readonly [Form in StorageForm]: (cell: Exclude<CellValue, null>) => FieldValue } = {
  boolean: (cell) => cell === true || cell === 1,
  number: Number,
  'searched-number': Number,
  // Stored documents have already been validated.
  document: (cell) => JSON.parse(String(cell)) as RichDocument,
  'folded-text': String,
  text: String,
  json: String,
  list: String,
  none: String,
}

export function rowOfValues(collection: Collection, values: RecordValues, dialect: Dialect): CollectionRow {
  const row: CollectionRow = {}
  for (const field of collection.fields) {
    const value = values[field.id]
    if (value === undefined || holdsList(field)) continue
    const cells = cellsIn(field, value, dialect)
    for (const [at, column] of columnsOfField(field).entries()) row[column] = cells[at] ?? null
  }
  return row
}

export const entriesOfList = (record: RecordId, value: FieldValue | undefined): CellValue[][] =>
  Array.isArray(value) ? value.map((one, position) => [record, position, String(one)]) : []

type RowReader = (row: CollectionRow) => CollectionRecord

const rowReaders = new WeakMap<Collection, RowReader>()

/** Maps rows to records. Column names are computed once instead of per row, which halves the cost of a page. */
function rowReader(collection: Collection): RowReader {
  const known = rowReaders.get(collection) ?? createRowReader(collection)
  rowReaders.set(collection, known)
  return known
}

function createRowReader(collection: Collection): RowReader {
  const places = storedFieldsIn(collection.fields).map((field) =>
    holdsList(field)
      ? { id: field.id, column: listTableOf(field.id), read: listOfCell }
      : { id: field.id, column: columnOf(field.id), read: cellReaderOf(field) },
  )
  return (row) => {
    const values: { [field: string]: FieldValue } = {}
    for (const { id, column, read } of places) values[id] = read(row[column])
    return recordOf(collection, row, values)
  }
}

const listOfCell = (cell: CellValue | undefined): string[] =>
  typeof cell === 'string' ? (JSON.parse(cell) as string[]) : []

function recordOf(collection: Collection, row: CollectionRow, values: RecordValues): CollectionRecord {
  return {
    id: String(row[SYSTEM_COLUMNS.id]),
    collection: collection.id,
    version: Number(row[SYSTEM_COLUMNS.version]),
    createdAt: String(row[SYSTEM_COLUMNS.createdAt]),
    createdBy: nullable(row[SYSTEM_COLUMNS.createdBy]),
    updatedAt: String(row[SYSTEM_COLUMNS.updatedAt]),
    updatedBy: nullable(row[SYSTEM_COLUMNS.updatedBy]),
    values,
  }
}

const nullable = (cell: CellValue | undefined): string | null =>
  cell === null || cell === undefined ? null : String(cell)

export const recordsOfRows = (collection: Collection, rows: readonly CollectionRow[]): CollectionRecord[] =>
  rows.map(rowReader(collection))
