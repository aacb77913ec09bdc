import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import type { FieldId, UserId } from '#domain/shared/ids.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import type { CellValue } from '#server/platform/database/database.ts'
import { insertRows, LIST_COLUMNS, updateRows } from '#server/platform/database/rows/insert-rows.ts'
import { listTableOf, tableOf } from '#server/query/sql/sql-context.ts'
import { indexRecords } from '#server/query/search/index/index-records.ts'
import { unreadableAmong } from '#server/records/values/changed-values.ts'
import { clearLists } from '#server/records/crud/store.ts'
import { cellsOfValue, entriesOfList } from '#server/records/values/row-mapping.ts'

export type ValueChange = {
  readonly record: CollectionRecord
  readonly values: RecordValues
  readonly updatedAt: string
  readonly updatedBy: UserId | null
  readonly unread?: HiddenFields
}

export async function writeValues(
  writing: Writing,
  collection: Collection,
  changes: readonly ValueChange[],
): Promise<CollectionRecord[]> {
  if (changes.length === 0) return []
  const { transaction } = writing
  const touched = new Set<FieldId>(changes.flatMap(({ values }) => Object.keys(values)))
  const fields = collection.fields.filter((field) => touched.has(field.id))
  const own = fields.filter((field) => !holdsList(field))
  const columns = own.flatMap((field) => Object.keys(cellsOfValue(field, emptyValue(field), transaction.dialect)))
  await updateRows(transaction, {
    table: tableOf(collection.id),
    columns: [...columns, 'version', 'updated_at', 'updated_by'],
    keys: ['id'],
    rows: changes.map((change): CellValue[] => [
      ...own.flatMap((field) => Object.values(cellsOfValue(field, valueAfter(change, field), transaction.dialect))),
      change.record.version + 1,
      change.updatedAt,
      change.updatedBy,
      change.record.id,
    ]),
  })
  for (const field of fields.filter(holdsList)) await writeLists(writing, field, changes)
  const ids = changes.map(({ record }) => record.id)
  indexRecords(writing, collection, ids, touched)
  return changes.map((change) => publishChanged(writing, collection, change))
}

const valueAfter = ({ record, values }: ValueChange, field: Field): FieldValue =>
  (field.id in values ? values[field.id] : record.values[field.id]) ?? emptyValue(field)

async function writeLists({ transaction }: Writing, field: Field, changes: readonly ValueChange[]): Promise<void> {
  const changed = changes.filter(({ values }) => values[field.id] !== undefined)
  const ids = changed.map(({ record }) => record.id)
  await clearLists(transaction, field.id, ids)
  const rows = changed.flatMap((change) => entriesOfList(change.record.id, valueAfter(change, field)))
  await insertRows(transaction, { table: listTableOf(field.id), columns: LIST_COLUMNS, rows })
}

function publishChanged(writing: Writing, collection: Collection, change: ValueChange): CollectionRecord {
  const { record, values, updatedAt, updatedBy, unread } = change
  const after: CollectionRecord = {
    ...record,
    version: record.version + 1,
    updatedAt,
    updatedBy,
    values: { ...record.values, ...values },
  }
  writing.note(collection.id, { before: record, after }, unreadableAmong(values, unread))
  return after
}
