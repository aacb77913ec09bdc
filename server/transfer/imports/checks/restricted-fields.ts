import { decide } from '#domain/access/decide.ts'
import { whereFieldsAre } from '#domain/access/narrow-decision.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import { type WriteContext, visibleRecords } from '#server/records/crud/visible-records.ts'
import type { RowError } from '#server/transfer/imports/csv/csv-tasks.ts'

export type RowTarget = { readonly row: number; readonly record: RecordId; readonly fields: readonly FieldId[] }

export type RestrictedRow = { readonly record: RecordId; readonly error: RowError }

/** Rows that change a field restricted in their record: one statement per partly hidden field. */
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
