import { useQueryClient } from '@tanstack/react-query'
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { RecordBody } from '#api/records.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { CellMenu, GridHandle, GridPaste } from '#web/ui/grid/editing/grid-editing.ts'
import { type GridProps, type GridSource, rowAt } from '#web/ui/grid/grid-props.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { Listing } from '#web/data/queries/record-list-queries.ts'
import { type CellPartsOf, cellPartsOf, usePreloadEditors } from '#web/views/grid/record-columns.tsx'
import type { CellActions } from '#web/shared/cell-editing/cell-actions.ts'
import { filesOfDrop } from '#web/shared/uploads/selected-files.ts'
import { fileFieldsOf } from '#web/shared/fields/editable-cells.ts'
import type { DroppedFiles } from '#web/shared/uploads/send-dropped-files.ts'
import { cellActions, listEdits, type ListEdits } from '#web/shared/cell-editing/list-cells.ts'

/** Loads the code that handles files dropped on the list. */
const givingFiles = lazyModule(() => import('#web/shared/uploads/send-dropped-files.ts'))

type Edited = Pick<
  GridProps<RecordRow>,
  | 'onCopyUnloaded'
  | 'onSelectUnloaded'
  | 'onPaste'
  | 'onFill'
  | 'onClear'
  | 'onUndo'
  | 'onRedo'
  | 'onFiles'
  | 'rowTakesFiles'
  | 'onCellMenu'
>

export type ListEditing = {
  readonly cells: ListEdits
  readonly gridRef: RefObject<GridHandle | null>
  readonly gridProps: Edited
  /** Event handlers for the frame around the grid. */
  readonly frameProps: {
    readonly onFocus: () => void
    readonly onBlur: (event: FocusEvent<HTMLElement>) => void
    readonly onKeyDownCapture: (event: KeyboardEvent<HTMLElement>) => void
  }
  /** Pasted data with more rows than there are records, until the user decides what to do. */
  readonly asking: GridPaste | undefined
  readonly answer: (answer: 'make' | 'leave' | 'cancel') => void
  readonly menu: CellMenu<RecordRow> | undefined
  readonly closeMenu: () => void
  /** Dropped files, until the user selects one of several fields. */
  readonly filesFor: DroppedFiles | undefined
  readonly closeFilesFor: () => void
  readonly onMade: (record: RecordBody) => void
}

type List = {
  readonly collection: TypedCollection
  readonly listing: Listing
  readonly source: GridSource<RecordRow>
}

export function useCellRenderers(collection: TypedCollection): CellPartsOf {
  return useMemo(() => cellPartsOf(collection, listEdits(collection.id)), [collection])
}

export function useListEditing(list: List): ListEditing {
  const { collection, listing, source } = list
  const cells = listEdits(collection.id)
  const queryClient = useQueryClient()
  const gridRef = useRef<GridHandle>(null)
  const [asking, setAsking] = useState<GridPaste>()
  const [menu, setMenu] = useState<CellMenu<RecordRow>>()
  const [filesFor, setFilesFor] = useState<DroppedFiles>()
  useLazyModule(cellActions, false)
  usePreloadEditors()
  useLayoutEffect(() => {
    cells.setWorld({ collection, listing, source, queryClient, grid: () => gridRef.current })
  })
  const hasKeyboard = useRef(false)
  useEffect(() => {
    // The row that had focus no longer exists, so focus moves to the grid.
    if (hasKeyboard.current && document.activeElement === document.body) gridRef.current?.focus()
  })

  const canCreate = collection.can.includes('records:create')
  const gridProps = useMemo(
    () =>
      gridPropsOf(collection, cells, {
        onAsk: canCreate ? setAsking : undefined,
        onMenu: setMenu,
        onFilesFor: setFilesFor,
      }),
    [collection, cells, canCreate],
  )
  return {
    cells,
    gridRef,
    gridProps,
    frameProps: frameProps(cells, hasKeyboard, () => focusedLine(source, gridRef.current)),
    asking,
    answer: (answer) => {
      setAsking(undefined)
      gridRef.current?.focus()
      if (asking && answer !== 'cancel')
        cells.withGridActions((gridActions) => gridActions.paste(asking, answer === 'make'))
    },
    menu,
    filesFor,
    closeFilesFor: () => {
      setFilesFor(undefined)
      gridRef.current?.focus()
    },
    closeMenu: () => {
      setMenu(undefined)
      gridRef.current?.focus()
    },
    onMade: (record) => cells.withGridActions((gridActions) => gridActions.made(record)),
  }
}

type Asking = {
  readonly onAsk: ((paste: GridPaste) => void) | undefined
  readonly onMenu: (menu: CellMenu<RecordRow>) => void
  readonly onFilesFor: (asking: DroppedFiles) => void
}

/** Accepts files dropped on file cells and rows. */
function filesProps(collection: TypedCollection, onFilesFor: Asking['onFilesFor']): Edited {
  if (collection.fields.every(({ kind }) => kind !== 'files')) return {}
  return {
    rowTakesFiles: ({ record }) => fileFieldsOf(collection, record).length > 0,
    onFiles: ({ row, columnId, data, xPx, yPx }) => {
      const all = fileFieldsOf(collection, row.record)
      const fields = columnId === undefined ? all : all.filter(({ id }) => id === columnId)
      // Dropped data can only be read during the event.
      const picked = filesOfDrop(data)
      void Promise.all([picked, givingFiles.load()]).then(([files, { sendToRecord }]) =>
        sendToRecord(collection, row.record, { fields, files }, (choose) => onFilesFor({ ...choose, xPx, yPx })),
      )
    },
  }
}

function gridPropsOf(collection: TypedCollection, cells: ListEdits, { onAsk, onMenu, onFilesFor }: Asking): Edited {
  const { can } = collection
  const { withGridActions } = cells
  const reading: Edited = {
    onCopyUnloaded: (rows) => readLines(cells, (gridActions) => gridActions.linesToCopy(rows)),
    onSelectUnloaded: (rows) => readLines(cells, (gridActions) => gridActions.linesToSelect(rows)),
    onCellMenu: onMenu,
  }
  if (!can.includes('records:update')) return reading
  return {
    ...reading,
    onPaste: (paste) => {
      if (paste.rowsBeyond > 0 && onAsk) onAsk(paste)
      else withGridActions((gridActions) => gridActions.paste(paste, false))
    },
    onFill: (fill) => withGridActions((gridActions) => gridActions.fill(fill)),
    onClear: (block) => withGridActions((gridActions) => gridActions.clear(block)),
    onUndo: () => withGridActions((gridActions) => gridActions.undo()),
    onRedo: () => withGridActions((gridActions) => gridActions.redo()),
    ...filesProps(collection, onFilesFor),
  }
}

type ReadLines = (gridActions: CellActions) => Promise<readonly RecordRow[] | undefined>

/** Resolves to undefined if the rows can't be read. */
const readLines = (cells: ListEdits, read: ReadLines): Promise<readonly RecordRow[] | undefined> =>
  new Promise((resolve) => {
    cells.withGridActions((gridActions) => void read(gridActions).then(resolve, () => resolve(undefined)))
  })

const focusedLine = (source: GridSource<RecordRow>, grid: GridHandle | null): RecordRow | undefined => {
  const ordinal = grid?.ordinal()
  return ordinal === undefined ? undefined : rowAt(source, ordinal)
}

function frameProps(
  cells: ListEdits,
  hasKeyboard: RefObject<boolean>,
  lineNow: () => RecordRow | undefined,
): ListEditing['frameProps'] {
  return {
    onFocus: () => {
      hasKeyboard.current = true
    },
    onBlur: ({ currentTarget, relatedTarget }) => {
      hasKeyboard.current = false
      // Focus in a popup or the open record counts as being in the grid; after the window loses focus, the grid may
      // regain it.
      const isOpenRecord = relatedTarget instanceof Element && relatedTarget.closest('.record-panel') !== null
      const isBeside =
        relatedTarget instanceof Element && !isOpenRecord && relatedTarget.closest('main, nav, header') !== null
      if (isBeside && !currentTarget.contains(relatedTarget)) cells.gridActions()?.list.leave()
    },
    onKeyDownCapture: (event) => {
      const isDuplicate = event.key.toLowerCase() === 'd' && event.shiftKey && (event.ctrlKey || event.metaKey)
      const line = isDuplicate ? lineNow() : undefined
      if (!line) return
      event.preventDefault()
      event.stopPropagation()
      cells.withGridActions((gridActions) => void gridActions.duplicate([line]))
    },
  }
}
