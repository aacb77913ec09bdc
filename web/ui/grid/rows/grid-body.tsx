import type { ComponentType, ReactNode } from 'react'
import { BodyRow } from './body-row.tsx'
import { type CellRect, selectionOfLine } from '#web/ui/grid/selection/cell-range.ts'
import type { EditorBoxProps } from '#web/ui/grid/editing/editor-box.tsx'
import { COLUMN_WIDTH_PX } from '#web/ui/grid/columns/grid-column.ts'
import { GRID_TEXTS_EN, type GridProps, rowAt } from '#web/ui/grid/grid-props.ts'
import type { GridLine } from './row-window.ts'
import { isSelected } from '#web/ui/grid/selection/selection.ts'
import type { CellEditing, EditedCell } from '#web/ui/grid/editing/use-cell-editor.ts'
import type { GridModel } from '#web/ui/grid/use-grid-model.ts'

export type GridBodyProps<Row> = {
  readonly grid: GridProps<Row>
  readonly model: GridModel<Row>
  readonly selectedRect: CellRect | undefined
  readonly hasHandle: boolean
  readonly editing: CellEditing<Row>
  /** Undefined until the interactions have loaded. */
  readonly EditorBox: ComponentType<EditorBoxProps<Row>> | undefined
}

/** The rows in and near the viewport, inside a spacer with the height of all rows. */
export function GridBody<Row>(props: GridBodyProps<Row>) {
  const { view } = props.model
  const slotOf = (line: number) => view.slotOf.get(line) ?? line
  // Elements are sorted only when scrolling stops, because moving them is slower than rendering their content.
  const inOrder = view.isScrolling ? view.drawnLines.toSorted((a, b) => slotOf(a) - slotOf(b)) : view.drawnLines
  return (
    <div role="rowgroup" className="grid-body" style={{ height: view.spacerPx }}>
      {inOrder.map((line) => drawLine(props, line, slotOf(line)))}
      {props.editing.edited && drawEditor(props, props.editing.edited)}
    </div>
  )
}

function drawLine<Row>(props: GridBodyProps<Row>, bodyLine: number, slot: number): ReactNode {
  const found = props.model.lines.lineAt(bodyLine)
  if (!found) return null
  return found.kind === 'row' ? drawRow(props, bodyLine, slot, found) : drawGroup(props, bodyLine, slot, found)
}

function drawRow<Row>(
  props: GridBodyProps<Row>,
  bodyLine: number,
  slot: number,
  { ordinal, level }: Extract<GridLine, { kind: 'row' }>,
): ReactNode {
  const { grid, model } = props
  const { lines, view, headerLines, placed } = model
  const { active } = model.cell
  const { texts = GRID_TEXTS_EN, source } = grid
  const line = headerLines + bodyLine
  const row = rowAt(source, ordinal)
  const range = selectionOfLine(props.selectedRect, bodyLine, props.hasHandle)
  const name = row === undefined ? undefined : (grid.nameOf?.(row) ?? '')
  return (
    <BodyRow
      key={slot}
      line={line}
      ariaRowIndex={headerLines + 1 + (lines.isGrouped ? bodyLine : ordinal)}
      level={lines.isGrouped ? level : undefined}
      topPx={view.topOf(bodyLine)}
      row={row}
      number={ordinal + 1}
      selectLabel={name === undefined ? texts.loading : texts.selectRow(name)}
      openLabel={name === undefined || !grid.onOpenRow ? undefined : texts.openRow(name)}
      href={row === undefined ? undefined : grid.hrefOf?.(row)}
      paint={row === undefined ? undefined : grid.paintOf?.(row)}
      frozen={placed.frozen}
      center={model.drawnColumns}
      frozenPx={placed.frozenPx}
      isSelected={selectedState(grid, row)}
      isCurrent={isCurrent(grid, row)}
      activeColumn={active.line === line ? active.column : undefined}
      rangeFirst={range.firstColumn}
      rangeEnd={range.endColumn}
      rangeEdges={range.edges}
    />
  )
}

/** An open editor stays at its row, or at its last position while the row isn't in the list. */
function drawEditor<Row>({ grid, model, editing, EditorBox }: GridBodyProps<Row>, edited: EditedCell<Row>): ReactNode {
  const { lines, view, headerLines, placed, paneStartPx, selectPx } = model
  if (!EditorBox) return null
  const bodyLine = edited.at.line - headerLines
  const found = lines.lineAt(bodyLine)
  const row = found?.kind === 'row' ? rowAt(grid.source, found.ordinal) : undefined
  const inFrozen = placed.frozen.find(({ column }) => column.id === edited.column.id)
  const place = inFrozen ?? model.drawnColumns.find(({ column }) => column.id === edited.column.id)
  return (
    <EditorBox
      key={edited.number}
      edited={edited}
      editing={editing}
      row={row !== undefined && grid.idOf(row) === edited.rowId ? row : edited.row}
      topPx={view.topOf(bodyLine)}
      startPx={(place?.startPx ?? 0) + (inFrozen ? selectPx : paneStartPx)}
      widthPx={place?.widthPx ?? COLUMN_WIDTH_PX.normal}
      isFrozen={inFrozen !== undefined}
      ariaRowIndex={edited.at.line + 1}
    />
  )
}

const isCurrent = <Row,>({ currentId, idOf }: GridProps<Row>, row: Row | undefined): boolean =>
  row !== undefined && idOf(row) === currentId

function selectedState<Row>({ selection, idOf }: GridProps<Row>, row: Row | undefined): boolean | undefined {
  if (!selection) return undefined
  return row !== undefined && isSelected(selection, idOf(row))
}

function drawGroup<Row>(
  { grid, model }: GridBodyProps<Row>,
  bodyLine: number,
  slot: number,
  { groupIndex, isExpanded }: Extract<GridLine, { kind: 'group' }>,
): ReactNode {
  const { view, cell, columnCount, widthPx, paneStartPx } = model
  const line = model.headerLines + bodyLine
  return grid.grouping?.renderHeader({
    slot,
    groupIndex,
    isExpanded,
    line,
    topPx: view.topOf(bodyLine),
    activeColumn: cell.active.line === line ? cell.active.column : undefined,
    countText: (grid.texts ?? GRID_TEXTS_EN).count,
    frozen: model.placed.frozen,
    center: model.drawnColumns,
    columnCount,
    widthPx,
    paneStartPx,
  })
}
