import { type RefObject, useLayoutEffect, useMemo, useRef } from 'react'
import {
  FILTERS_PX,
  FOOTER_PX,
  HEADER_END_PX,
  HEADER_PX,
  rowHeightPx,
  SELECT_COLUMN_PX,
} from './columns/grid-column.ts'
import { type GridProps, spanOf } from './grid-props.ts'
import { type GridLines, plainLines } from './rows/row-window.ts'
import type { GridPosition } from './keyboard/keyboard.ts'
import { revealColumn, revealEnd, useColumnWindow, useGridColumns } from './columns/use-grid-columns.ts'
import { type ActiveCell, useActiveCell } from './selection/use-active-cell.ts'
import { useElementSize } from '#web/ui/browser/use-element-size.ts'
import { useGridViewport } from './rows/use-grid-viewport.ts'
import { useRowRequests } from './rows/load-rows.ts'

/** Keeps the active cell on its row or group when lines above it change, for example when a group is collapsed. */
function useActiveLineAnchor(input: {
  readonly scrollerRef: RefObject<HTMLElement | null>
  readonly listKey: string
  readonly lines: GridLines
  readonly headerLines: number
  readonly cell: ActiveCell
  readonly reveal: (to: GridPosition) => void
}): void {
  const { scrollerRef, listKey, lines, headerLines, cell, reveal } = input
  const previous = useRef({ lines, listKey })
  useLayoutEffect(() => {
    const { lines: old, listKey: oldKey } = previous.current
    previous.current = { lines, listKey }
    if (old === lines || oldKey !== listKey || !(old.isGrouped && lines.isGrouped)) return
    const bodyLine = cell.active.line - headerLines
    const was = old.lineAt(bodyLine)
    if (!was) return
    const is = was.kind === 'row' ? lines.lineNear(was.ordinal) : lines.lineOfGroup(was.groupIndex)
    if (is === undefined || is === bodyLine) return
    const to = { line: is + headerLines, column: cell.active.column }
    if (!scrollerRef.current?.contains(document.activeElement)) return cell.activate(to)
    cell.focus(to)
    reveal(to)
  })
}

export type GridModel<Row> = ReturnType<typeof useGridModel<Row>>

export function useGridModel<Row>(props: GridProps<Row>) {
  const { source, columns, listKey = '' } = props
  const scrollerRef = useRef<HTMLDivElement>(null)
  const { widthPx, heightPx, outerPx } = useElementSize(scrollerRef)
  const lines = useGridLines(props)
  const { headerLines, footerLines, fixedPx, rowPx, selectPx } = measuresOf(props, lines)
  const firstColumn = props.selection ? 1 : 0
  const endWidthPx = props.renderHeaderEnd ? HEADER_END_PX : 0
  const placed = useGridColumns({
    columns,
    layout: props.layout,
    onLayout: props.onLayout,
    widthPx,
    // A page that doesn't scroll can also use the scrollbar's width for columns.
    visiblePx: source.kind === 'window' ? widthPx : outerPx,
    selectPx,
    endWidthPx,
    firstIndex: firstColumn,
  })
  const columnCount = placed.frozen.length + placed.center.length + firstColumn
  const headerColumns = columnCount + (props.renderHeaderEnd ? 1 : 0)
  const size = { headerLines, bodyLines: lines.lineCount, footerLines, columns: columnCount, headerColumns }
  const cell = useActiveCell(scrollerRef, listKey, size)
  const activeLine = cell.active.line - headerLines
  const view = useGridViewport({
    scrollerRef,
    lineCount: lines.lineCount,
    rowPx,
    viewportPx: Math.max(0, heightPx - fixedPx),
    isWindowed: source.kind === 'window',
    listKey,
    keptLine: activeLine >= 0 && activeLine < lines.lineCount ? activeLine : undefined,
  })
  const paneStartPx = selectPx + placed.frozenPx
  const drawnColumns = useColumnWindow(scrollerRef, {
    center: placed.center,
    activeColumn: cell.active.column,
    paneStartPx,
    widthPx,
    kind: source.kind,
  })
  useRowRequests(source, lines, view, props.grouping)

  const reveal = (position: GridPosition) => {
    const line = position.line - headerLines
    // Headers and the summary line are always visible, so they don't need scrolling.
    if (line >= 0 && line < lines.lineCount) view.reveal(line)
    const place = placed.center.find((each) => each.index === position.column)
    if (scrollerRef.current && place) revealColumn(scrollerRef.current, place, paneStartPx)
    else if (scrollerRef.current && position.column >= columnCount) revealEnd(scrollerRef.current)
  }
  useActiveLineAnchor({ scrollerRef, listKey, lines, headerLines, cell, reveal })
  const style = { '--row-height': `${rowPx}px`, '--grid-width': `${paneStartPx + placed.centerPx + endWidthPx}px` }
  const bounds = { lines: lines.lineCount, firstColumn, endColumn: columnCount }
  return {
    scrollerRef,
    widthPx,
    headerLines,
    footerLines,
    selectPx,
    lines,
    placed,
    columnCount,
    headerColumns,
    bounds,
    cell,
    view,
    drawnColumns,
    paneStartPx,
    reveal,
    style,
  }
}

function measuresOf<Row>(props: GridProps<Row>, lines: GridLines) {
  const { density = 'normal', isWrapped = false, areFiltersShown = false, footer, selection } = props
  const hasFooter = footer !== undefined && lines.lineCount > 0
  return {
    headerLines: areFiltersShown ? 2 : 1,
    footerLines: hasFooter ? 1 : 0,
    fixedPx: HEADER_PX + (areFiltersShown ? FILTERS_PX : 0) + (hasFooter ? FOOTER_PX : 0),
    rowPx: rowHeightPx(density, isWrapped),
    selectPx: selection ? SELECT_COLUMN_PX : 0,
  }
}

function useGridLines<Row>({ source, grouping }: GridProps<Row>) {
  const { first, end } = spanOf(source)
  return useMemo(() => (grouping?.linesOf ?? plainLines)({ first, end }), [grouping, first, end])
}
