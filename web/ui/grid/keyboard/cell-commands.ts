import { oneCell, widened } from '#web/ui/grid/selection/cell-range.ts'
import { fitColumn, moveColumn } from '#web/ui/grid/columns/column-commands.ts'
import { enterCell } from './grid-events.ts'
import { blockIn, type GridContext, mayEdit, placeOf, rowOfPosition } from '#web/ui/grid/grid-context.ts'
import type { GridCommand, GridPosition } from './keyboard.ts'
import { moveRowBy } from '#web/ui/grid/rows/move-row.ts'
import { fillByKey } from '#web/ui/grid/selection/range-drag.ts'

export function runOnCells<Row>(
  context: GridContext<Row>,
  command: GridCommand,
  at: GridPosition,
): boolean | undefined {
  const { props, cellRange } = context
  switch (command.do) {
    case 'toggleOrOpen':
      return toggleCell(context, at)
    case 'selectCells':
      if (isAtCheckbox(context, at)) return selectAtCheckbox(context, command.what, at)
      cellRange.select(widened(cellRange.range ?? oneCell(selectableAt(context, at)), command.what), at)
      return true
    case 'edit':
      return beginEdit(context, at, command.seed)
    case 'editOrOpen':
      if (!startEditing(context, at, undefined)) context.actions.open(at.line - context.extent.headerLines)
      return true
    case 'clear':
      if (!props.onClear || !cellRange.rect) return false
      props.onClear(blockIn(context, cellRange.rect))
      return true
    case 'fill':
      return fill(context, command.to)
    case 'moveRow':
      return moveRowBy(context, at, command.by)
    case 'undo':
      props.onUndo?.()
      return props.onUndo !== undefined
    case 'redo':
      props.onRedo?.()
      return props.onRedo !== undefined
    default:
      return runOnColumns(context, command, at)
  }
}

const isAtCheckbox = <Row>({ bounds, extent }: GridContext<Row>, { line, column }: GridPosition): boolean =>
  column < bounds.firstColumn && line >= extent.headerLines

/** In the checkbox column, keys that extend the selection select whole rows. */
function selectAtCheckbox<Row>(
  { actions, extent }: GridContext<Row>,
  what: 'rows' | 'columns' | 'all',
  { line }: GridPosition,
): boolean {
  if (what === 'rows') actions.selectRow(line - extent.headerLines, true)
  else actions.selectAll()
  return true
}

function runOnColumns<Row>(context: GridContext<Row>, command: GridCommand, at: GridPosition): boolean | undefined {
  const columnId = context.columnAt(at.column)?.column.id
  if (command.do === 'moveColumn' && columnId !== undefined) moveColumn(context, columnId, command.by)
  else if (command.do === 'fitColumn' && columnId !== undefined) fitColumn(context, columnId)
  else return undefined
  return true
}

function selectableAt<Row>(context: GridContext<Row>, at: GridPosition) {
  const { line, column } = placeOf(context, at)
  return { line: Math.max(0, line), column }
}

/** Edits a cell if allowed. In a read-only cell, announces this, and F2 moves focus into the content. */
function beginEdit<Row>(context: GridContext<Row>, at: GridPosition, seed: string | undefined): boolean {
  if (startEditing(context, at, seed)) return true
  if (!context.columnAt(at.column) && seed !== undefined) return false
  const control = seed === undefined ? enterCell(context, at) : false
  if (!control) context.announce(context.texts.readOnly)
  return true
}

export function startEditing<Row>(context: GridContext<Row>, at: GridPosition, seed: string | undefined): boolean {
  const column = context.columnAt(at.column)?.column
  const row = rowOfPosition(context, at)
  if (!column || row === undefined || !mayEdit(column, row)) return false
  context.reveal(at)
  context.editing.start(at, row, column, seed)
  return true
}

function fill<Row>(context: GridContext<Row>, to: 'down' | 'end'): boolean {
  const { cellRange, props, lines } = context
  const target = cellRange.rect && fillByKey(cellRange.rect, to, lines)
  if (!target || !props.onFill) return false
  const { direction } = target
  props.onFill({ from: blockIn(context, target.from), to: blockIn(context, target.to), direction, how: 'copy' })
  return true
}

/** Space toggles a Boolean cell or previews other cells; undefined if the cell supports neither. */
function toggleCell<Row>(context: GridContext<Row>, at: GridPosition): true | undefined {
  const column = context.columnAt(at.column)?.column
  const row = rowOfPosition(context, at)
  if (row !== undefined && column?.onPreview?.(row) === true) return true
  if (!column?.onToggle || row === undefined) return undefined
  if (column.isEditable?.(row) ?? true) column.onToggle(row)
  else context.announce(context.texts.readOnly)
  return true
}
