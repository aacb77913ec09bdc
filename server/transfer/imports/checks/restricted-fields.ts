import { decide } from '#domain/access/decide.ts'
import { whereFieldsAre } from '#domain/access/narrow-decision.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import { type WriteContext, visibleRecords } from '#server/records/crud/visible-records.ts'
import type { RowError } from '#server/transfer/imports/csv/csv-tasks.ts'

/** What a row brings for a record that is there. */
export type RowTarget = { readonly row: number; readonly record: RecordId; readonly fields: readonly FieldId[] }

/** A row that brings what may not be changed in its record. */
export type RestrictedRow = { readonly record: RecordId; readonly error: RowError }

/**
 * The rows that bring a field for a record in which it is closed to whoever imports: one question a field, and none where
 * no field is.
 */
export async function restrictedRows(
  inside: WriteContext,
  collection: Collection,
  brought: readonly RowTarget[],
): Promise<readonly RestrictedRow[]> {
  const decision = decide(inside.actor, 'records:update', collection)
  const named = new Set(brought.flatMap(({ fields }) => fields))
  const partly = collection.fields.filter(
    ({ id }) => named.has(id) && decision.allowed && decision.partlyHidden?.has(id) === true,
  )
  const closed: RestrictedRow[] = []
  for (const { id, label } of partly) {
    const rows = brought.filter(({ fields }) => fields.includes(id))
    const bounded = decision.allowed ? whereFieldsAre(decision, [id]) : undefined
    const records = rows.map(({ record }) => record)
    const open = bounded ? await visibleRecords(inside, collection, bounded, records) : new Set()
    const error = { column: label, message: `You can’t edit ${label} in this record.` }
    for (const { record, row } of rows) if (!open.has(record)) closed.push({ record, error: { row, ...error } })
  }
  return closed
}
