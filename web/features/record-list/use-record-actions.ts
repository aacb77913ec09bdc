import { useMemo, useRef } from 'react'
import type { RecordListItem } from '#api/records.ts'
import { listEdits } from '#web/shared/cell-editing/list-cells.ts'
import type { SavedChange } from '#web/shared/cell-editing/cell-actions.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { CellMenu } from '#web/ui/grid/editing/grid-editing.ts'
import type { GridProps } from '#web/ui/grid/grid-props.ts'
import type { NewValue, RecordActions } from '#web/views/view-kind.ts'

/** `ordinal` is undefined in views that load their own records, where records have no position in the list. */
export type OpenedLine = Pick<RecordRow, 'record'> & { readonly ordinal: number | undefined }

type ActionDeps = {
  readonly collection: TypedCollection
  readonly onOpen: (line: OpenedLine) => void
  readonly hrefOf: (line: OpenedLine) => string
  readonly onMenu: ((menu: CellMenu<RecordRow>) => void) | undefined
  readonly onCreate: (values: { readonly [field: string]: unknown }) => void
  readonly paintOf: GridProps<RecordRow>['paintOf']
  readonly currentId: string | undefined
}

/** The position isn't used by single-record commands. */
const rowOf = (record: RecordListItem): RecordRow => ({ record, ordinal: 0 })

export function useRecordActions(deps: ActionDeps): Omit<RecordActions, 'reorder'> {
  const { collection, onOpen, hrefOf, onMenu, onCreate, paintOf, currentId } = deps
  const { can, id } = collection
  const cells = listEdits(id)
  /** Undo the changes that were saved in another way, each after a step of the edits. */
  const others = useRef<{ readonly undo: () => void; readonly after: number | undefined }[]>([])
  const changing = useMemo(() => {
    const change = (record: RecordListItem, values: readonly NewValue[]): Promise<SavedChange> => {
      return new Promise((resolve) => {
        cells.withGridActions((gridActions) => {
          const given = values.map(({ field, value }) => [field, value] as const)
          void gridActions.change(rowOf(record), given).then(resolve)
        })
      })
    }
    return {
      change,
      noteUndo: (undo: () => void) => {
        others.current.push({ undo, after: cells.gridActions()?.writer.lastStep() })
      },
      undo: () => {
        const last = others.current.at(-1)
        if (last && last.after === cells.gridActions()?.writer.lastStep()) others.current.pop()?.undo()
        else cells.withGridActions((gridActions) => gridActions.undo())
      },
      redo: () => cells.withGridActions((gridActions) => gridActions.redo()),
    }
  }, [cells])
  return {
    ...changing,
    change: can.includes('records:update') ? changing.change : undefined,
    open: (record) => onOpen({ record, ordinal: undefined }),
    hrefOf: (record) => hrefOf({ record, ordinal: undefined }),
    openMenu: (record, at, commands = []) =>
      onMenu?.({
        row: rowOf(record),
        columnId: undefined,
        block: { rows: [], rowCount: 1, columnIds: [] },
        ...at,
        commands,
      }),
    create: can.includes('records:create') ? onCreate : undefined,
    colorOf: (record) => paintOf?.(rowOf(record))?.row,
    currentId,
  }
}
