import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type FieldKind, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { foldedText } from '#domain/fields/folded-text.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'
import { plainText } from '#domain/rich-text/plain-text.ts'
import type { CellValue, CollectionRow, Dialect } from '#server/database/database.ts'
import { SYSTEM_COLUMNS, columnOf, foldColumnOf } from '#server/query/column-of.ts'

/** The cells that hold a value: the column itself and, for text, its folded form. Lists have tables of their own. */
export function cellsOfValue(field: Field, value: FieldValue, dialect: Dialect): { [column: string]: CellValue } {
  const column = columnOf(field.id)
  switch (field.kind) {
    case 'text':
    case 'long-text':
    case 'email':
    case 'url':
    case 'phone':
      return { [column]: textOf(value), [foldColumnOf(field.id)]: fold(field.kind, textOf(value)) }
    case 'rich-text':
      return {
        [column]: value === null ? null : JSON.stringify(value),
        [foldColumnOf(field.id)]: fold(field.kind, isDocument(value) ? plainText(value) : null),
      }
    case 'number':
      return { [column]: typeof value === 'number' ? value : null }
    case 'auto-number':
      return typeof value === 'number'
        ? { [column]: value, [foldColumnOf(field.id)]: String(value) }
        : { [column]: null, [foldColumnOf(field.id)]: null }
    case 'checkbox':
      return { [column]: dialect === 'postgres' ? value === true : Number(value === true) }
    case 'date':
    case 'date-time':
    case 'select':
    case 'state':
    case 'relation':
    case 'user':
    case 'json':
      return { [column]: textOf(value) }
    case 'multi-select':
    case 'files':
      return {}
  }
}

const textOf = (value: FieldValue): string | null => (typeof value === 'string' && value !== '' ? value : null)

const fold = (kind: FieldKind, text: string | null): string | null =>
  text === null || text === '' ? null : foldedText(kind, text)

const isDocument = (value: FieldValue): value is RichDocument =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value in a cell, as the database gives it back. */
export function valueOfCell(field: Field, cell: CellValue | undefined): FieldValue {
  if (cell === null || cell === undefined) return emptyValue(field)
  switch (field.kind) {
    case 'checkbox':
      return cell === true || cell === 1
    case 'number':
    case 'auto-number':
      return Number(cell)
    case 'rich-text':
      // Only checked documents are stored.
      return JSON.parse(String(cell)) as RichDocument
    case 'text':
    case 'long-text':
    case 'date':
    case 'date-time':
    case 'select':
    case 'multi-select':
    case 'state':
    case 'email':
    case 'url':
    case 'phone':
    case 'relation':
    case 'user':
    case 'files':
    case 'json':
      return String(cell)
  }
}

/** Cells of all given values that stand in the collection's own table. */
export function rowOfValues(collection: Collection, values: RecordValues, dialect: Dialect): CollectionRow {
  const row: CollectionRow = {}
  for (const field of collection.fields) {
    const value = values[field.id]
    if (value !== undefined && !holdsList(field)) Object.assign(row, cellsOfValue(field, value, dialect))
  }
  return row
}

/** Lists of one record, by field id. */
export type RecordLists = { readonly [field: string]: readonly string[] }

/**
 * How rows of a collection, with their lists, become records. The names of columns are put together once, not for every
 * row: that halves the cost of a page.
 */
export function rowReader(collection: Collection): (row: CollectionRow, lists: RecordLists) => CollectionRecord {
  const places = collection.fields.map((field) => ({ field, column: columnOf(field.id), isList: holdsList(field) }))
  return (row, lists) => {
    const values: { [field: string]: FieldValue } = {}
    for (const { field, column, isList } of places) {
      values[field.id] = isList ? (lists[field.id] ?? []) : valueOfCell(field, row[column])
    }
    return recordOf(collection, row, values)
  }
}

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
