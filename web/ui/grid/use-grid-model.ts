import { useMemo, useRef } from 'react'
import {
  COLUMN_WIDTH_PX,
  FILTERS_PX,
  FOOTER_PX,
  HEADER_PX,
  rowHeightPx,
  SELECT_COLUMN_PX,
} from './columns/grid-column.ts'
import type { GridProps } from './grid-props.ts'
import { spanOf } from './grid-source.ts'
import { type GridLines, plainLines } from './rows/grid-lines.ts'
import type { GridPosition } from './keyboard/keyboard.ts'
import { useGridTable } from './columns/table-adapter.ts'
import { useActiveCell } from './selection/use-active-cell.ts'
import { revealColumn, useColumnWindow } from './scroll/use-column-window.ts'
import { useElementSize } from '#web/ui/browser/use-element-size.ts'
import { useAnchoredLine } from './scroll/use-anchored-line.ts'
import { useGridViewport } from './scroll/use-grid-viewport.ts'
import { useRowRequests } from './rows/use-row-requests.ts'

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
