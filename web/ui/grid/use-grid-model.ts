import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import {
  COLUMN_WIDTH_PX,
  FILTERS_PX,
  FOOTER_PX,
  HEADER_PX,
  type PlacedColumn,
  rowHeightPx,
  SELECT_COLUMN_PX,
} from './columns/grid-column.ts'

import { type GridProps, spanOf } from './grid-props.ts'
import { type GridLines, plainLines } from './rows/row-window.ts'
import type { GridPosition } from './keyboard/keyboard.ts'
import { useGridTable } from './columns/table-adapter.ts'
import { type ActiveCell, useActiveCell } from './selection/use-active-cell.ts'
import { useElementSize } from '#web/ui/browser/use-element-size.ts'
import { useGridViewport } from './scroll/use-grid-viewport.ts'
import { useRowRequests } from './rows/load-rows.ts'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'

/**
 * Grids with no more columns than this draw them all: cheaper than watching them come and go. Where lines come and go
 * all the time, each column out of sight costs more.
 */
const MAX_UNWINDOWED_COLUMNS = { page: 12, window: 5 } as const

/** The scrolling columns to draw: those in sight, one more on each side, and the one that holds the active cell. */
function useColumnWindow<Row>(
  scrollerRef: RefObject<HTMLDivElement | null>,
  input: {
    readonly center: readonly PlacedColumn<Row>[]
    readonly activeColumn: number
    /** Where they begin: what is frozen stands before them. */
    readonly paneStartPx: number
    readonly kind: 'page' | 'window'
  },
): readonly PlacedColumn<Row>[] {
  const { center, activeColumn, paneStartPx, kind } = input
  const kept = center.findIndex((place) => place.index === activeColumn)
  const estimateSize = useCallback((index: number) => center[index]?.widthPx ?? 0, [center])
  // Stable, because another function here makes the virtualizer hand out new items and every row draw anew.
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      if (kept < 0 || indexes.includes(kept)) return indexes
      return [...indexes, kept].toSorted((a, b) => a - b)
    },
    [kept],
  )
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    horizontal: true,
    count: center.length,
    getScrollElement: () => scrollerRef.current,
    estimateSize,
    rangeExtractor,
    paddingStart: paneStartPx,
    overscan: 1,
    isRtl: document.dir === 'rtl',
    useFlushSync: false,
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, center])

  const drawn = virtualizer.getVirtualItems()
  return useMemo(() => {
    if (center.length <= MAX_UNWINDOWED_COLUMNS[kind]) return center
    return drawn.flatMap(({ index }) => center[index] ?? [])
  }, [center, drawn, kind])
}

/** Scrolls sideways just so far that a column stands in full sight beside the frozen ones. */
function revealColumn<Row>(scroller: HTMLElement, place: PlacedColumn<Row>, paneStartPx: number): void {
  // Right-to-left scrollers count from 0 downwards.
  const sign = getComputedStyle(scroller).direction === 'rtl' ? -1 : 1
  const at = scroller.scrollLeft * sign
  const paneWidthPx = scroller.clientWidth - paneStartPx
  const wanted = Math.min(Math.max(at, place.startPx + place.widthPx - paneWidthPx), place.startPx)
  if (wanted !== at) scroller.scrollLeft = wanted * sign
}

/** Keeps the active cell with its row or its group when lines above it come or go, as they do when groups are folded. */
function useAnchoredLine(input: {
  readonly scrollerRef: RefObject<HTMLElement | null>
  readonly listKey: string
  readonly lines: GridLines
  readonly headLines: number
  readonly cell: ActiveCell
  readonly reveal: (to: GridPosition) => void
}): void {
  const { scrollerRef, listKey, lines, headLines, cell, reveal } = input
  const before = useRef({ lines, listKey })
  useLayoutEffect(() => {
    const { lines: old, listKey: oldKey } = before.current
    before.current = { lines, listKey }
    if (old === lines || oldKey !== listKey || !(old.isGrouped && lines.isGrouped)) return
    const bodyLine = cell.active.line - headLines
    const was = old.lineAt(bodyLine)
    if (!was) return
    const is = was.kind === 'row' ? lines.lineNear(was.ordinal) : lines.lineOfGroup(was.groupIndex)
    if (is === undefined || is === bodyLine) return
    const to = { line: is + headLines, column: cell.active.column }
    if (!scrollerRef.current?.contains(document.activeElement)) return cell.arrive(to)
    cell.send(to)
    reveal(to)
  })
}

/** Everything about a grid that is computed before it is drawn. */
export type GridModel<Row> = ReturnType<typeof useGridModel<Row>>

/** Works out what a grid shows and where: its columns, its lines, the active cell, what of it is in sight. */
export function useGridModel<Row>(props: GridProps<Row>) {
  const { source, columns, listKey = '' } = props
  const scrollerRef = useRef<HTMLDivElement>(null)
  const { widthPx, heightPx } = useElementSize(scrollerRef)
  const lines = useGridLines(props)
  const { headLines, footLines, aroundPx, rowPx, selectPx } = measuresOf(props, lines)
  const firstColumn = props.selection ? 1 : 0
  const table = useGridTable({
    columns,
    layout: props.layout,
    onLayout: props.onLayout,
    sort: props.sort,
    frozenRoomPx: frozenRoomPx(widthPx, selectPx),
    firstIndex: firstColumn,
  })
  const columnCount = table.frozen.length + table.center.length + firstColumn
  const size = { headLines, bodyLines: lines.lineCount, footLines, columns: columnCount }
  const cell = useActiveCell(scrollerRef, listKey, size)
  const activeLine = cell.active.line - headLines
  const view = useGridViewport({
    scrollerRef,
    lineCount: lines.lineCount,
    rowPx,
    viewportPx: Math.max(0, heightPx - aroundPx),
    isWindowed: source.kind === 'window',
    listKey,
    keptLine: activeLine >= 0 && activeLine < lines.lineCount ? activeLine : undefined,
  })
  const paneStartPx = selectPx + table.frozenPx
  const scrolling = { center: table.center, activeColumn: cell.active.column, paneStartPx, kind: source.kind }
  const drawnColumns = useColumnWindow(scrollerRef, scrolling)
  useRowRequests(source, lines, view, props.grouping)

  const reveal = (position: GridPosition) => {
    const line = position.line - headLines
    // Headers and the line at the bottom are in sight anyway.
    if (line >= 0 && line < lines.lineCount) view.reveal(line)
    const place = table.center.find((each) => each.index === position.column)
    if (scrollerRef.current && place) revealColumn(scrollerRef.current, place, paneStartPx)
  }
  useAnchoredLine({ scrollerRef, listKey, lines, headLines, cell, reveal })
  const style = { '--row-height': `${rowPx}px`, '--grid-width': `${paneStartPx + table.centerPx}px` }
  const bounds = { lines: lines.lineCount, firstColumn, endColumn: columnCount }
  return {
    scrollerRef,
    widthPx,
    headLines,
    footLines,
    selectPx,
    lines,
    table,
    columnCount,
    bounds,
    cell,
    view,
    drawnColumns,
    paneStartPx,
    reveal,
    style,
  }
}

/** What stands around the rows, and how tall and wide the grid's own parts are. */
function measuresOf<Row>(props: GridProps<Row>, lines: GridLines) {
  const { density = 'normal', isWrapped = false, areFiltersShown = false, footer, selection } = props
  const hasFooter = footer !== undefined && lines.lineCount > 0
  return {
    headLines: areFiltersShown ? 2 : 1,
    footLines: hasFooter ? 1 : 0,
    aroundPx: HEADER_PX + (areFiltersShown ? FILTERS_PX : 0) + (hasFooter ? FOOTER_PX : 0),
    rowPx: rowHeightPx(density, isWrapped),
    selectPx: selection ? SELECT_COLUMN_PX : 0,
  }
}

function useGridLines<Row>({ source, grouping }: GridProps<Row>) {
  const { first, end } = spanOf(source)
  return useMemo(() => (grouping?.linesOf ?? plainLines)({ first, end }), [grouping, first, end])
}

/** On a narrow screen frozen columns would leave nothing to scroll, so they scroll with the others. */
function frozenRoomPx(widthPx: number, selectPx: number): number {
  return widthPx === 0 ? COLUMN_WIDTH_PX.max : widthPx / 2 - selectPx
}
