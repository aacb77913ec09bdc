import { useMemo } from 'react'
import type { RecordListItem } from '#api/records.ts'
import { applyEditsToRow, type RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { listEdits } from '#web/shared/cell-editing/list-cells.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { useStore } from '#web/ui/store.ts'
import { type DatedFields, type DatedRecord, datedRecord, placedRecord } from './dated-records.ts'
import type { Moving } from './use-date-drag.ts'

/** Cached, so that edits can be applied to the same row again. */
const rows = new WeakMap<RecordListItem, RecordRow>()

export function rowOf(record: RecordListItem): RecordRow {
  const known = rows.get(record)
  if (known) return known
  const row = { record, ordinal: 0 }
  rows.set(record, row)
  return row
}

type DatedRecordsInput = {
  readonly collection: TypedCollection
  readonly fields: DatedFields
  readonly records: readonly RecordListItem[]
  readonly dropped: RecordListItem | undefined
  readonly moving: Moving | undefined
}

/** Records with a date, as they are after edits that aren't saved yet and while one is moved. */
export function useDatedRecords(input: DatedRecordsInput): readonly DatedRecord[] {
  const { collection, fields, records, dropped, moving } = input
  const edited = useStore(listEdits(collection.id).shown)
  const dated = useMemo(() => {
    const byId = new Map([...(dropped ? [dropped] : []), ...records].map((record) => [record.id, record]))
    return [...byId.values()].flatMap(
      (record) => datedRecord(collection, fields, applyEditsToRow(rowOf(record), edited)) ?? [],
    )
  }, [collection, fields, records, dropped, edited])
  return useMemo(() => {
    if (!moving || (moving.isUndated === true && moving.isOutside === true)) return dated
    const { record } = moving.row
    const moved = { ...placedRecord(collection, fields.kind, moving.row, moving.to), isMoving: true }
    return [...dated.filter(({ row }) => row.record.id !== record.id), moved]
  }, [collection, fields, dated, moving])
}
