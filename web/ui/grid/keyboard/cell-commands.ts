import { oneCell, widened } from '#web/ui/grid/selection/cell-range.ts'
import { fitColumn, moveColumn } from '#web/ui/grid/columns/column-commands.ts'

import { enterCell } from './grid-keys.ts'
import { blockIn, type GridContext, mayEdit, placeOf, rowOfPosition } from '#web/ui/grid/grid-context.ts'
import type { GridCommand, GridPosition } from './keyboard.ts'
import { fillByKey } from '#web/ui/grid/selection/range-drag.ts'

export function runOnCells<Row>(reach: GridContext<Row>, command: GridCommand, at: GridPosition): boolean | undefined {
  const { props, marked } = reach
  switch (command.do) {
    case 'select':
      return toggleCell(reach, at)
    case 'mark':
      if (isAtCheckbox(reach, at)) return selectAtCheckbox(reach, command.what, at)
      marked.mark(widened(marked.range ?? oneCell(markableAt(reach, at)), command.what), at)
      return true
    case 'edit':
      return beginEdit(reach, at, command.seed)
    case 'editOrOpen':
      if (!startEditing(reach, at, undefined)) reach.actions.open(at.line - reach.extent.headLines)
      return true
    case 'clear':
      if (!props.onClear || !marked.rect) return false
      props.onClear(blockIn(reach, marked.rect))
      return true
    case 'fill':
      return fill(reach, command.to)
    case 'undo':
      props.onUndo?.()
      return props.onUndo !== undefined
    case 'redo':
      props.onRedo?.()
      return props.onRedo !== undefined
    default:
      return runOnColumns(reach, command, at)
  }
}

const isAtCheckbox = <Row>({ bounds, extent }: GridContext<Row>, { line, column }: GridPosition): boolean =>
  column < bounds.firstColumn && line >= extent.headLines

/** In the checkbox column, keys that extend the selection select rows. */
function selectAtCheckbox<Row>(
  { actions, extent }: GridContext<Row>,
  what: 'rows' | 'columns' | 'all',
  { line }: GridPosition,
): boolean {
  if (what === 'rows') actions.selectRow(line - extent.headLines, true)
  else actions.selectAll()
  return true
}

function runOnColumns<Row>(reach: GridContext<Row>, command: GridCommand, at: GridPosition): boolean | undefined {
  const columnId = reach.columnAt(at.column)?.column.id
  if (command.do === 'moveColumn' && columnId !== undefined) moveColumn(reach, columnId, command.by)
  else if (command.do === 'fitColumn' && columnId !== undefined) fitColumn(reach, columnId)
  else return undefined
  return true
}

function markableAt<Row>(reach: GridContext<Row>, at: GridPosition) {
  const { line, column } = placeOf(reach, at)
  return { line: Math.max(0, line), column }
}

/** Edits a cell if allowed; otherwise announces that it is read-only, and F2 moves focus into its content. */
function beginEdit<Row>(reach: GridContext<Row>, at: GridPosition, seed: string | undefined): boolean {
  if (startEditing(reach, at, seed)) return true
  const control = seed === undefined ? enterCell(reach, at) : false
  if (!control) reach.say(reach.texts.readOnly)
  return true
}

export function startEditing<Row>(reach: GridContext<Row>, at: GridPosition, seed: string | undefined): boolean {
  const column = reach.columnAt(at.column)?.column
  const row = rowOfPosition(reach, at)
  if (!column || row === undefined || !mayEdit(column, row)) return false
  reach.reveal(at)
  reach.editing.start(at, row, column, seed)
  return true
}

function fill<Row>(reach: GridContext<Row>, to: 'down' | 'end'): boolean {
  const { marked, props, lines } = reach
  const target = marked.rect && fillByKey(marked.rect, to, lines)
  if (!target || !props.onFill) return false
  const { direction } = target
  props.onFill({ from: blockIn(reach, target.from), to: blockIn(reach, target.to), direction, how: 'copy' })
  return true
}

/** Space toggles a Boolean cell or previews a cell; undefined for others. */
function toggleCell<Row>(reach: GridContext<Row>, at: GridPosition): true | undefined {
  const column = reach.columnAt(at.column)?.column
  const row = rowOfPosition(reach, at)
  if (row !== undefined && column?.onLook?.(row) === true) return true
  if (!column?.onToggle || row === undefined) return undefined
  if (column.isEditable?.(row) ?? true) column.onToggle(row)
  else reach.say(reach.texts.readOnly)
  return true
}
