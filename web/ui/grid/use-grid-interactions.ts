import {
  type MouseEvent as ReactMouseEvent,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { countOf, isOneCell } from './selection/cell-range.ts'
import { DEFAULT_LAYOUT, type GridColumn } from './columns/grid-column.ts'
import type { ColumnCommands, EditMove, GridHandle } from './editing/grid-editing.ts'
import { gridEvents, replayKeys } from './keyboard/grid-events.ts'
import { GRID_TEXTS_EN, type GridProps } from './grid-props.ts'
import { type GridMovement, type GridPosition, type PendingKey, moved } from './keyboard/keyboard.ts'
import { useCellEditor } from './editing/use-cell-editor.ts'
import { useCellRange } from './selection/use-active-cell.ts'
import type { GridActions, GridContext } from './grid-context.ts'
import { useGridMessage } from './grid-notices.tsx'
import type { GridModel } from './use-grid-model.ts'

/** Loaded later, because drag and drop, the clipboard and measuring aren't needed for the first render. */
const INTERACTIONS = lazyModule(() => import('./grid-interactions.ts'))

const nothing = (): void => undefined

/** No-op commands, used until the interactions have loaded. */
const NO_COMMANDS: ColumnCommands = {
  fitWidth: nothing,
  canMove: () => false,
  move: nothing,
  freezeUpTo: nothing,
  unfreeze: nothing,
  isFrozenEdge: false,
  selectCells: nothing,
}

export function useGridInteractions<Row>(props: GridProps<Row>, model: GridModel<Row>, actions: GridActions) {
  const { listKey = '', texts = GRID_TEXTS_EN, idOf } = props
  const { cell, placed, lines, headerLines, bounds, view } = model
  const columnAt = (index: number) => [...placed.frozen, ...placed.center].find((place) => place.index === index)
  const cellRange = useCellRange({
    listKey,
    active: cell.active,
    headerLines,
    bounds,
    lines,
    columnIdAt: (index) => columnAt(index)?.column.id,
    onRange: props.onRange,
  })
  const [message, announce] = useGridMessage(props, useRangeText(props, model, cellRange))
  const { footerLines, columnCount: columns, headerColumns, scrollerRef } = model
  const { linesPerPage } = view
  const extent = { headerLines, bodyLines: lines.lineCount, footerLines, columns, headerColumns, linesPerPage }
  const editing = useCellEditor<Row>(idOf, (at, move) => {
    const to = withinCells(moved(MOVES[move], at, extent), headerLines, bounds.firstColumn)
    cell.focus(to)
    model.reveal(to)
  })

  const { latest, getContext } = useLatestContext<Row>()
  const module = useLazyModule(INTERACTIONS, false)
  const { pendingKeys, rerender, loadInteractions } = usePendingKeys()
  const interactions = useMemo(() => module?.gridInteractions(getContext), [module, getContext])
  const openMenuOnceLoaded = usePendingMenu(interactions !== undefined, loadInteractions)
  const context: GridContext<Row> = {
    gridRef: scrollerRef,
    props,
    texts,
    layout: props.layout ?? DEFAULT_LAYOUT,
    cell,
    extent,
    lines,
    bounds,
    actions,
    cellRange,
    editing,
    paneStartPx: model.paneStartPx,
    columnAt,
    reveal: model.reveal,
    focusColumn: useFocusColumn(model),
    setWidth: placed.setWidth,
    announce,
    interactions,
    pendingKeys,
  }
  useLayoutEffect(() => {
    latest.current = context
  })
  useEffect(() => replayKeys(context, rerender))
  useEffect(
    () => (scrollerRef.current ? interactions?.watchTouches(scrollerRef.current) : undefined),
    [interactions, scrollerRef],
  )
  useImperativeHandle(props.handleRef, () => handleOf(getContext), [getContext])
  const commandsOf = useCallback(
    (column: GridColumn<Row>) => interactions?.commandsOf(props, column) ?? NO_COMMANDS,
    [props, interactions],
  )
  return {
    cellRange,
    editing,
    message,
    commandsOf,
    interactions,
    events: gridEvents(context, loadInteractions, openMenuOnceLoaded),
  }
}

/** The current context, for handlers that outlive an event. */
function useLatestContext<Row>() {
  const latest = useRef<GridContext<Row> | undefined>(undefined)
  const getContext = useCallback(() => {
    if (!latest.current) throw new Error('The grid context was read before the first render')
    return latest.current
  }, [])
  return { latest, getContext }
}

/** Queues keys until the code that handles them is loaded. */
function usePendingKeys() {
  const [pendingKeys] = useState((): PendingKey[] => [])
  const [, rerender] = useReducer((times: number) => times + 1, 0)
  const loadInteractions = (): void => void INTERACTIONS.load().then(nothing, () => pendingKeys.splice(0))
  return { pendingKeys, rerender, loadInteractions }
}

/** Repeats a right-click once the code that handles it is loaded. */
function usePendingMenu(isLoaded: boolean, load: () => void): (event: ReactMouseEvent) => void {
  const pending = useRef<MouseEvent | undefined>(undefined)
  useEffect(() => {
    const event = pending.current
    pending.current = undefined
    if (isLoaded && event) event.target?.dispatchEvent(new MouseEvent(event.type, event))
  }, [isLoaded])
  return (event) => {
    event.preventDefault()
    pending.current = event.nativeEvent
    load()
  }
}

/** Focuses a moved column, whose position is known only after the next layout. */
function useFocusColumn<Row>({ placed, cell, reveal }: GridModel<Row>): (columnId: string) => void {
  const pendingColumn = useRef<{ readonly columnId: string; readonly from: number | undefined } | undefined>(undefined)
  const placeOf = (columnId: string | undefined) =>
    [...placed.frozen, ...placed.center].find(({ column }) => column.id === columnId)?.index
  const latest = useRef(placeOf)
  useLayoutEffect(() => {
    latest.current = placeOf
    const column = placeOf(pendingColumn.current?.columnId)
    if (column === undefined || column === pendingColumn.current?.from) return
    pendingColumn.current = undefined
    const at = { line: 0, column }
    cell.focus(at)
    reveal(at)
  })
  return useCallback((columnId) => {
    pendingColumn.current = { columnId, from: latest.current(columnId) }
  }, [])
}

const MOVES: Readonly<Record<EditMove, GridMovement>> = {
  stay: { do: 'move', rows: 0, columns: 0 },
  down: { do: 'move', rows: 1, columns: 0 },
  up: { do: 'move', rows: -1, columns: 0 },
  next: { do: 'move', rows: 0, columns: 1 },
  previous: { do: 'move', rows: 0, columns: -1 },
}

/** After an edit, focus stays in the data cells and never moves to the headers or checkboxes. */
function withinCells({ line, column }: GridPosition, headerLines: number, firstColumn: number): GridPosition {
  return { line: Math.max(line, headerLines), column: Math.max(column, firstColumn) }
}

function handleOf<Row>(getContext: () => GridContext<Row>): GridHandle {
  const positionOf = (ordinal: number, columnId: string | undefined): GridPosition | undefined => {
    const { lines, bounds, extent, columnAt, cell } = getContext()
    const line = lines.lineOfRow(ordinal)
    if (line === undefined) return undefined
    const columns = Array.from({ length: bounds.endColumn }, (_, index) => index)
    const column = columnId === undefined ? undefined : columns.find((index) => columnAt(index)?.column.id === columnId)
    return { line: line + extent.headerLines, column: column ?? Math.max(cell.active.column, bounds.firstColumn) }
  }
  return {
    goTo: (ordinal, columnId) => {
      const at = positionOf(ordinal, columnId)
      if (!at) return false
      getContext().reveal(at)
      getContext().cell.focus(at)
      return true
    },
    columnId: () => getContext().columnAt(getContext().cell.active.column)?.column.id,
    columnIds: () => {
      const { bounds, columnAt } = getContext()
      return Array.from({ length: bounds.endColumn }, (_, index) => columnAt(index)?.column.id ?? []).flat()
    },
    has: (ordinal) => getContext().lines.lineOfRow(ordinal) !== undefined,
    show: (ordinal, columnId) => {
      const at = positionOf(ordinal, columnId)
      if (!at) return false
      getContext().reveal(at)
      getContext().cell.activate(at)
      return true
    },
    edit: (ordinal, columnId, seed) => {
      const at = positionOf(ordinal, columnId)
      if (!at) return false
      getContext().cell.focus(at)
      return getContext().interactions?.edit(at, seed) ?? false
    },
    ordinal: () => {
      const { lines, cell, extent } = getContext()
      const line = lines.lineAt(cell.active.line - extent.headerLines)
      return line?.kind === 'row' ? line.ordinal : undefined
    },
    focus: () => getContext().cell.focus(getContext().cell.active),
  }
}

function useRangeText<Row>(
  { texts = GRID_TEXTS_EN }: GridProps<Row>,
  { lines }: GridModel<Row>,
  { range, rect }: ReturnType<typeof useCellRange>,
): string | undefined {
  return useMemo(() => {
    if (!range || !rect || isOneCell(rect)) return undefined
    const rows = countOf(lines.rowsIn({ first: rect.firstLine, end: rect.endLine }))
    return texts.cells(rows, rect.endColumn - rect.firstColumn)
  }, [range, rect, lines, texts])
}
