import { type CSSProperties, useMemo, useRef } from 'react'
import './grid.css'
import { Announcer } from './announcer.tsx'
import { GridBody } from './grid-body.tsx'
import { COLUMN_WIDTH_PX, FILTERS_PX, HEADER_PX, ROW_HEIGHTS_PX, SELECT_COLUMN_PX } from './grid-column.ts'
import { gridEvents } from './grid-events.ts'
import { GridHeader } from './grid-header.tsx'
import type { GridProps } from './grid-props.ts'
import { GridNotices } from './grid-notices.tsx'
import { spanOf, totalOf } from './grid-source.ts'
import { GRID_TEXTS_EN } from './grid-texts.ts'
import { type GridLines, groupedLines, plainLines } from './group-rows.ts'
import type { GridPosition } from './keyboard.ts'
import { useGridTable } from './table-adapter.ts'
import { useActiveCell } from './use-active-cell.ts'
import { revealColumn, useColumnWindow } from './use-column-window.ts'
import { type GridActions, stateOfAll, useCollapse, useGridActions } from './use-grid-actions.ts'
import { useElementSize } from './use-element-size.ts'
import { useGridMessage } from './use-grid-message.ts'
import { useGridView } from './use-grid-view.ts'
import { useRowRequests } from './use-row-requests.ts'

/**
 * The grid: a page of rows or all of them, in one engine. It knows rows, columns and cells; what they mean is the app's.
 * Give it a place of a certain height, and it scrolls inside it.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { source, groups, texts = GRID_TEXTS_EN, areFiltersShown = false } = props
  const model = useGridModel(props)
  const { table, view, cell, lines, headLines, columnCount } = model
  const actions = useGridActions(props, lines, model.collapse)
  const message = useGridMessage(props)
  const hasRows = lines.lineCount > 0

  return (
    // React's style type names no custom properties, though React sets them.
    <div className="grid-frame" data-density={props.density ?? 'normal'} style={model.style as CSSProperties}>
      <div
        ref={model.scrollerRef}
        role={groups ? 'treegrid' : 'grid'}
        aria-label={props.label}
        aria-rowcount={ariaRowCount(props, lines, headLines)}
        aria-colcount={columnCount}
        aria-multiselectable={props.selection !== undefined}
        aria-busy={source.kind === 'page' && source.loadingRows !== undefined}
        className="grid-scroller"
        {...eventsOf(model, actions)}
      >
        <GridHeader
          frozen={table.frozen}
          center={model.drawnColumns}
          frozenPx={table.frozenPx}
          sort={table.sort}
          active={cell.active}
          areFiltersShown={areFiltersShown}
          selected={stateOfAll(props)}
          selectLabel={source.kind === 'page' ? texts.selectPage : texts.selectEverything}
          renderMenu={props.renderHeaderMenu}
          onResize={table.setWidth}
          texts={texts}
        />
        {props.failure === undefined && hasRows && (
          <GridBody
            grid={props}
            lines={lines}
            view={view}
            headLines={headLines}
            active={cell.active}
            frozen={table.frozen}
            center={model.drawnColumns}
            frozenPx={table.frozenPx}
            columnCount={columnCount}
            widthPx={model.widthPx}
          />
        )}
      </div>
      <GridNotices {...props} hasRows={hasRows} />
      <Announcer message={message} />
    </div>
  )
}

/** Everything about a grid that is computed before it is drawn. */
function useGridModel<Row>(props: GridProps<Row>) {
  const { source, groups, columns, density = 'normal', areFiltersShown = false, listKey = '' } = props
  const scrollerRef = useRef<HTMLDivElement>(null)
  const { widthPx, heightPx } = useElementSize(scrollerRef)
  const headLines = areFiltersShown ? 2 : 1
  const headPx = HEADER_PX + (areFiltersShown ? FILTERS_PX : 0)
  const rowPx = ROW_HEIGHTS_PX[density]
  const selectPx = props.selection ? SELECT_COLUMN_PX : 0

  const collapse = useCollapse(props)
  const { first, end } = spanOf(source)
  const lines = useMemo(
    () => (groups ? groupedLines(groups, collapse.collapsed, { first, end }) : plainLines({ first, end })),
    [groups, collapse.collapsed, first, end],
  )
  const table = useGridTable({
    columns,
    layout: props.layout,
    onLayout: props.onLayout,
    sort: props.sort,
    isTitleFrozen: isRoomForTitle(columns, selectPx, widthPx),
    firstIndex: props.selection ? 1 : 0,
  })
  const columnCount = table.frozen.length + table.center.length + (props.selection ? 1 : 0)
  const cell = useActiveCell(scrollerRef, listKey, { headLines, bodyLines: lines.lineCount, columns: columnCount })
  const view = useGridView({
    scrollerRef,
    lineCount: lines.lineCount,
    rowPx,
    viewportPx: Math.max(0, heightPx - headPx),
    isWindowed: source.kind === 'window',
    listKey,
    keptLine: cell.active.line < headLines ? undefined : cell.active.line - headLines,
  })
  const drawnColumns = useColumnWindow({ scrollerRef, center: table.center, activeColumn: cell.active.column })
  useRowRequests(source, lines, view)

  const paneStartPx = selectPx + table.frozenPx
  const reveal = (position: GridPosition) => {
    if (position.line >= headLines) view.reveal(position.line - headLines)
    const place = table.center.find((each) => each.index === position.column)
    if (scrollerRef.current && place) revealColumn(scrollerRef.current, place, paneStartPx)
  }
  const style = { '--row-height': `${rowPx}px`, '--grid-width': `${paneStartPx + table.centerPx}px` }
  return {
    scrollerRef,
    widthPx,
    headLines,
    lines,
    collapse,
    table,
    columnCount,
    cell,
    view,
    drawnColumns,
    reveal,
    style,
  }
}

/** The listeners of the grid, over what its model knows. */
function eventsOf<Row>(model: ReturnType<typeof useGridModel<Row>>, actions: GridActions) {
  const { table, view, cell, lines, headLines, columnCount } = model
  return gridEvents<Row>({
    gridRef: model.scrollerRef,
    cell,
    actions,
    extent: { headLines, bodyLines: lines.lineCount, columns: columnCount, linesPerPage: view.linesPerPage },
    placeOf: (line) => {
      if (line < headLines) return line === 0 ? 'header' : 'filters'
      return lines.lineAt(line - headLines)?.kind ?? 'row'
    },
    columnAt: (index) => [...table.frozen, ...table.center].find((place) => place.index === index),
    reveal: model.reveal,
    onResize: (columnId, widthPx, isFinal) => void table.setWidth(columnId, widthPx, isFinal),
  })
}

/** On a narrow screen a frozen title would leave nothing to scroll, so it scrolls with the others. */
function isRoomForTitle<Row>(columns: GridProps<Row>['columns'], selectPx: number, widthPx: number): boolean {
  const title = columns.find((column) => column.isTitle)
  return widthPx === 0 || selectPx + (title?.widthPx ?? COLUMN_WIDTH_PX.normal) <= widthPx / 2
}

/** How many lines there are in all, those that are not drawn and those of other pages included; -1 when unknown. */
function ariaRowCount<Row>({ source, groups }: GridProps<Row>, lines: GridLines, headLines: number): number {
  if (groups || source.kind === 'window') return headLines + lines.lineCount
  const total = totalOf(source)
  return total.is === 'exact' ? headLines + total.count : -1
}
