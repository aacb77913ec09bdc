import { oneCell, withHead, widened } from './cell-range.ts'
import { canMoveTo, shownColumns, withColumnAt } from './column-order.ts'
import { COLUMN_WIDTH_PX } from './grid-column.ts'
import { blockIn, type GridReach, mayEdit, placeOf, positionAt, rowOfPosition } from './grid-reach.ts'
import { type GridCommand, type GridMovement, type GridPosition, isMovement, moved } from './keyboard.ts'
import { fillByKey } from './range-targets.ts'
import { findCell } from './use-active-cell.ts'

/** What a key can do that needs more than the grid's first part. */
export type LateCommands = { readonly fitColumn: (columnId: string) => void }

/** Does what a key asks for; false when there is nothing to do, and the key is the browser's. */
export function runCommand<Row>(
  reach: GridReach<Row>,
  command: GridCommand,
  at: GridPosition,
  late: LateCommands | undefined,
): boolean {
  if (isMovement(command)) return command.isExtending ? extend(reach, command, at) : go(reach, command, at)
  return (
    runOnRow(reach, command, at) ?? runOnCells(reach, command, at) ?? runOnColumn(reach, command, at, late) ?? false
  )
}

function go<Row>(reach: GridReach<Row>, command: GridMovement, at: GridPosition): boolean {
  const to = moved(command, at, reach.extent)
  reach.cell.send(to)
  reach.reveal(to)
  return true
}

/** Moves the end of what is marked; the focus stays where it began. */
function extend<Row>(reach: GridReach<Row>, command: GridMovement, at: GridPosition): boolean {
  const { marked, bounds } = reach
  const range = marked.range ?? oneCell(placeOf(reach, at))
  const { line, column } = moved(command, positionAt(reach, range.head), reach.extent)
  const head = {
    line: Math.max(line - reach.extent.headLines, 0),
    column: Math.max(column, bounds.firstColumn),
  }
  marked.mark(withHead(range, head), at)
  reach.reveal(positionAt(reach, head))
  return true
}

function runOnRow<Row>(reach: GridReach<Row>, command: GridCommand, at: GridPosition): boolean | undefined {
  const { actions } = reach
  const bodyLine = at.line - reach.extent.headLines
  switch (command.do) {
    case 'select':
      if (!toggleCell(reach, at)) actions.selectRow(bodyLine, false)
      return true
    case 'selectAll':
      actions.selectAll()
      return true
    case 'open':
      actions.open(bodyLine)
      return true
    case 'toggleGroup':
      actions.toggleGroup(bodyLine, command.to)
      return true
    default:
      return undefined
  }
}

/** The space bar turns a cell of yes and no over. */
function toggleCell<Row>(reach: GridReach<Row>, at: GridPosition): boolean {
  const column = reach.columnAt(at.column)?.column
  const row = rowOfPosition(reach, at)
  if (!column?.onToggle || row === undefined) return false
  if (column.isEditable?.(row) ?? true) column.onToggle(row)
  else reach.say(reach.texts.readOnly)
  return true
}

function runOnCells<Row>(reach: GridReach<Row>, command: GridCommand, at: GridPosition): boolean | undefined {
  const { props, marked } = reach
  switch (command.do) {
    case 'mark':
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
      return undefined
  }
}

/** From the header, or from a checkbox, cells are marked as well: those of its column, those of its row. */
function markableAt<Row>(reach: GridReach<Row>, at: GridPosition) {
  const { line, column } = placeOf(reach, at)
  return { line: Math.max(0, line), column }
}

/** Edits a cell where it may be; a key in a cell that may not says so, F2 goes into what the cell holds. */
function beginEdit<Row>(reach: GridReach<Row>, at: GridPosition, seed: string | undefined): boolean {
  if (startEditing(reach, at, seed)) return true
  const control = seed === undefined ? enterCell(reach, at) : false
  if (!control) reach.say(reach.texts.readOnly)
  return true
}

/** Opens the editor of a cell; false where it cannot be edited. */
export function startEditing<Row>(reach: GridReach<Row>, at: GridPosition, seed: string | undefined): boolean {
  const column = reach.columnAt(at.column)?.column
  const row = rowOfPosition(reach, at)
  if (!column || row === undefined || !mayEdit(column, row)) return false
  reach.reveal(at)
  reach.editing.start(at, row, column, seed)
  return true
}

function fill<Row>(reach: GridReach<Row>, to: 'down' | 'end'): boolean {
  const { marked, props, lines } = reach
  const target = marked.rect && fillByKey(marked.rect, to, lines)
  if (!target || !props.onFill) return false
  const { direction } = target
  props.onFill({ from: blockIn(reach, target.from), to: blockIn(reach, target.to), direction, how: 'copy' })
  return true
}

function runOnColumn<Row>(
  reach: GridReach<Row>,
  command: GridCommand,
  at: GridPosition,
  late: LateCommands | undefined,
): boolean | undefined {
  const place = reach.columnAt(at.column)
  switch (command.do) {
    case 'sort':
      if (place) reach.actions.sort(place.column.id, command.isAdding)
      else reach.actions.selectAll()
      return true
    case 'resize':
      if (place) reach.setWidth(place.column.id, place.widthPx + command.steps * COLUMN_WIDTH_PX.step, true)
      return true
    case 'moveColumn':
      if (place) moveColumn(reach, place.column.id, command.by)
      return true
    case 'fitColumn':
      if (place) late?.fitColumn(place.column.id)
      return place !== undefined
    case 'enterCell':
      enterCell(reach, at)
      return true
    case 'leaveCell':
      return leaveCell(reach, at)
    default:
      return undefined
  }
}

/** Moves a column one place on, says where it stands, and takes the focus along. */
export function moveColumn<Row>(reach: GridReach<Row>, columnId: string, by: 1 | -1): void {
  const { ids } = shownColumns(reach.props.columns, reach.layout)
  moveColumnTo(reach, columnId, ids.indexOf(columnId) + by)
}

/** Puts a column at another place among the shown ones. */
export function moveColumnTo<Row>(reach: GridReach<Row>, columnId: string, to: number): void {
  const { props, layout, bounds } = reach
  if (!props.onLayout || !canMoveTo(props.columns, layout, columnId, to)) return
  props.onLayout(withColumnAt(props.columns, layout, columnId, to))
  const header = props.columns.find((column) => column.id === columnId)?.header ?? ''
  reach.say(reach.texts.columnPlace(header, to + 1, bounds.endColumn - bounds.firstColumn))
  reach.followColumn(columnId)
}

/** From what a cell holds back to the cell; from there the marked cells are let go. */
function leaveCell<Row>(reach: GridReach<Row>, at: GridPosition): boolean {
  const grid = reach.gridRef.current
  const isInside = grid !== null && document.activeElement !== findCell(grid, at)
  if (isInside) reach.cell.send(at)
  const hadMarked = reach.marked.range !== undefined
  reach.marked.unmark()
  return isInside || hadMarked
}

/** Sends the focus to the last control inside a cell: the menu of a header, the input of a filter. */
function enterCell<Row>({ gridRef }: GridReach<Row>, at: GridPosition): boolean {
  const cell = gridRef.current && findCell(gridRef.current, at)
  const controls = cell?.querySelectorAll<HTMLElement>('button, input, select, textarea, a[href]')
  const control = controls?.item(controls.length - 1)
  control?.focus()
  if (control?.getAttribute('aria-haspopup')) control.click()
  return control !== undefined
}
