import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { moveRecordInView } from '#api/views.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys, reloadQueries } from '#web/data/queries/query-client.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import type { MenuCommand } from '#web/ui/grid/editing/grid-editing.ts'
import { type GridProps, rowAt, type RowPlace } from '#web/ui/grid/grid-props.ts'
import type { RecordActions, RecordPlace } from '#web/views/view-kind.ts'

type Reorder = NonNullable<RecordActions['reorder']>

/** Moves records in the manual order of a view, one at a time. */
export function useManualOrder(
  collection: TypedCollection,
  view: string | undefined,
  noteUndo: RecordActions['noteUndo'],
) {
  const queryClient = useQueryClient()
  const isMoving = useRef(false)
  const [announcement, setAnnouncement] = useState('')
  if (view === undefined) return { reorder: undefined, announcement }
  const params = { collection: collection.name, view }
  const move = async (record: string, { place, neighbor }: RecordPlace) => {
    await call(moveRecordInView, { params, body: { record, place, neighbor: neighbor.id } })
    await reloadQueries(queryClient, queryKeys.records(collection.name))
  }
  const reorder: Reorder = (record, to, from) => {
    if (isMoving.current) return undefined
    isMoving.current = true
    const titles = { title: recordTitle(collection, record), other: recordTitle(collection, to.neighbor) }
    const moved = () => {
      setAnnouncement(
        to.place === 'before' ? t('{title} moved before {other}', titles) : t('{title} moved after {other}', titles),
      )
      if (from) noteUndo(() => void move(record.id, from).then(undefined, notifyFailure()))
      return true
    }
    const fail = notifyFailure()
    const failed = (error: unknown) => {
      fail(error)
      return false
    }
    return move(record.id, to)
      .then(moved, failed)
      .finally(() => {
        isMoving.current = false
      })
  }
  return { reorder, announcement }
}

/** Adds moving by drag, keyboard and menu to a list of rows. */
export function withMovableRows(grid: GridProps<RecordRow>, reorder: Reorder, undo: () => void): GridProps<RecordRow> {
  const { source, onCellMenu } = grid
  const recordOf = ({ place, neighbor }: RowPlace<RecordRow>): RecordPlace => ({ place, neighbor: neighbor.record })
  const commandTo = (row: RecordRow, by: -1 | 1): MenuCommand => {
    const other = grid.grouping ? undefined : rowAt(source, row.ordinal + by)
    const [place, back] = by < 0 ? (['before', 'after'] as const) : (['after', 'before'] as const)
    const run = (neighbor: RecordPlace['neighbor']) => () =>
      void reorder(row.record, { place, neighbor }, { place: back, neighbor })
    return { label: by < 0 ? t('Move up') : t('Move down'), run: other && run(other.record) }
  }
  return {
    ...grid,
    onUndo: undo,
    onMoveRow: ({ record }, to, from) => reorder(record, recordOf(to), from && recordOf(from)),
    ...(onCellMenu && {
      onCellMenu: (menu) =>
        onCellMenu({ ...menu, commands: [...(menu.commands ?? []), commandTo(menu.row, -1), commandTo(menu.row, 1)] }),
    }),
  }
}
