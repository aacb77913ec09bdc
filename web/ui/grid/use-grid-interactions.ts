import {
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

/** Drag and drop, clipboard and measuring are not needed for the first render. */
const INTERACTIONS = lazyModule(() => import('./grid-interactions.ts'))

const nothing = (): void => undefined

/** Until they have loaded, menu commands do nothing. */
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
  const { cell, placed, lines, headLines, bounds, view } = model
  const columnAt = (index: number) => [...placed.frozen, ...placed.center].find((place) => place.index === index)
  const marked = useCellRange({
    listKey,
    active: cell.active,
    headLines,
    bounds,
    lines,
    columnIdAt: (index) => columnAt(index)?.column.id,
    onRange: props.onRange,
  })
  const [message, say] = useGridMessage(props, useMarkedText(props, model, marked))
  const { footLines, columnCount: columns } = model
  const extent = { headLines, bodyLines: lines.lineCount, footLines, columns, linesPerPage: view.linesPerPage }
  const editing = useCellEditor<Row>(idOf, (at, move) => {
    const to = withinCells(moved(MOVES[move], at, extent), headLines, bounds.firstColumn)
    cell.send(to)
    model.reveal(to)
  })

  const { latest, reachNow } = useLatestContext<Row>()
  const late = useLazyModule(INTERACTIONS, false)
  const { held, drawAnew, ask } = usePendingKeys()
  const hands = useMemo(() => late?.gridInteractions(reachNow), [late, reachNow])
  const reach: GridContext<Row> = {
    gridRef: model.scrollerRef,
    props,
    texts,
    layout: props.layout ?? DEFAULT_LAYOUT,
    cell,
    extent,
    lines,
    bounds,
    actions,
    marked,
    editing,
    paneStartPx: model.paneStartPx,
    columnAt,
    reveal: model.reveal,
    followColumn: useFollowedColumn(model),
    setWidth: placed.setWidth,
    say,
    hands,
    held,
  }
  useLayoutEffect(() => {
    latest.current = reach
  })
  useEffect(() => replayKeys(reach, drawAnew))
  useImperativeHandle(props.handleRef, () => handleOf(reachNow), [reachNow])
  const commandsOf = useCallback(
    (column: GridColumn<Row>) => hands?.commandsOf(props, column) ?? NO_COMMANDS,
    [props, hands],
  )
  return { marked, editing, message, commandsOf, hands, events: gridEvents(reach, ask) }
}

/** The current context, for handlers that outlive one event. */
function useLatestContext<Row>() {
  const latest = useRef<GridContext<Row> | undefined>(undefined)
  const reachNow = useCallback(() => {
    if (!latest.current) throw new Error('A grid is reached into before it is drawn')
    return latest.current
  }, [])
  return { latest, reachNow }
}

/** Queues keys until the code they need has loaded. */
function usePendingKeys() {
  const [held] = useState((): PendingKey[] => [])
  const [, drawAnew] = useReducer((times: number) => times + 1, 0)
  const ask = (): void => void INTERACTIONS.load().then(nothing, () => held.splice(0))
  return { held, drawAnew, ask }
}

/** Moves focus with a moved column: its position is known after the next layout. */
function useFollowedColumn<Row>({ placed, cell, reveal }: GridModel<Row>): (columnId: string) => void {
  const followed = useRef<{ readonly columnId: string; readonly from: number | undefined } | undefined>(undefined)
  const placeOf = (columnId: string | undefined) =>
    [...placed.frozen, ...placed.center].find(({ column }) => column.id === columnId)?.index
  const latest = useRef(placeOf)
  useLayoutEffect(() => {
    latest.current = placeOf
    const column = placeOf(followed.current?.columnId)
    if (column === undefined || column === followed.current?.from) return
    followed.current = undefined
    const at = { line: 0, column }
    cell.send(at)
    reveal(at)
  })
  return useCallback((columnId) => {
    followed.current = { columnId, from: latest.current(columnId) }
  }, [])
}

const MOVES: Readonly<Record<EditMove, GridMovement>> = {
  stay: { do: 'move', rows: 0, columns: 0 },
  down: { do: 'move', rows: 1, columns: 0 },
  up: { do: 'move', rows: -1, columns: 0 },
  next: { do: 'move', rows: 0, columns: 1 },
  previous: { do: 'move', rows: 0, columns: -1 },
}

/** After an edit focus stays among the cells: not in the header, not in the checkboxes. */
function withinCells({ line, column }: GridPosition, headLines: number, firstColumn: number): GridPosition {
  return { line: Math.max(line, headLines), column: Math.max(column, firstColumn) }
}

function handleOf<Row>(reachNow: () => GridContext<Row>): GridHandle {
  const positionOf = (ordinal: number, columnId: string | undefined): GridPosition | undefined => {
    const { lines, bounds, extent, columnAt, cell } = reachNow()
    const line = lines.lineOfRow(ordinal)
    if (line === undefined) return undefined
    const columns = Array.from({ length: bounds.endColumn }, (_, index) => index)
    const column = columnId === undefined ? undefined : columns.find((index) => columnAt(index)?.column.id === columnId)
    return { line: line + extent.headLines, column: column ?? Math.max(cell.active.column, bounds.firstColumn) }
  }
  return {
    goTo: (ordinal, columnId) => {
      const at = positionOf(ordinal, columnId)
      if (!at) return false
      reachNow().reveal(at)
      reachNow().cell.send(at)
      return true
    },
    show: (ordinal) => {
      const at = positionOf(ordinal, undefined)
      if (!at) return false
      reachNow().reveal(at)
      reachNow().cell.arrive(at)
      return true
    },
    edit: (ordinal, columnId, seed) => {
      const at = positionOf(ordinal, columnId)
      if (!at) return false
      reachNow().cell.send(at)
      return reachNow().hands?.edit(at, seed) ?? false
    },
    ordinal: () => {
      const { lines, cell, extent } = reachNow()
      const line = lines.lineAt(cell.active.line - extent.headLines)
      return line?.kind === 'row' ? line.ordinal : undefined
    },
    focus: () => reachNow().cell.send(reachNow().cell.active),
  }
}

function useMarkedText<Row>(
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
