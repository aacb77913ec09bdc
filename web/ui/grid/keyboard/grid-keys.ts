import { oneCell, withFocusCell } from '#web/ui/grid/selection/cell-range.ts'
import { COLUMN_WIDTH_PX } from '#web/ui/grid/columns/grid-column.ts'
import { type GridContext, placeOf, positionAt } from '#web/ui/grid/grid-context.ts'
import { type GridCommand, type GridMovement, type GridPosition, isMovement, moved } from './keyboard.ts'
import { findCell } from '#web/ui/grid/selection/use-active-cell.ts'

export function runCommand<Row>(reach: GridContext<Row>, command: GridCommand, at: GridPosition): boolean {
  if (isMovement(command)) return command.isExtending ? extend(reach, command, at) : go(reach, command, at)
  return reach.hands?.run(command, at) ?? runOnRow(reach, command, at) ?? runOnColumn(reach, command, at) ?? false
}

function go<Row>(reach: GridContext<Row>, command: GridMovement, at: GridPosition): boolean {
  const to = moved(command, at, reach.extent)
  reach.cell.send(to)
  reach.reveal(to)
  return true
}

function extend<Row>(reach: GridContext<Row>, command: GridMovement, at: GridPosition): boolean {
  const { marked, bounds } = reach
  const range = marked.range ?? oneCell(placeOf(reach, at))
  const { line, column } = moved(command, positionAt(reach, range.head), reach.extent)
  const head = {
    line: Math.max(line - reach.extent.headLines, 0),
    column: Math.max(column, bounds.firstColumn),
  }
  marked.mark(withFocusCell(range, head), at)
  reach.reveal(positionAt(reach, head))
  return true
}

function runOnRow<Row>(reach: GridContext<Row>, command: GridCommand, at: GridPosition): boolean | undefined {
  const { actions, props } = reach
  const bodyLine = at.line - reach.extent.headLines
  switch (command.do) {
    case 'select':
      actions.selectRow(bodyLine, false)
      return true
    case 'selectAll':
      actions.selectAll()
      return true
    case 'open':
      actions.open(bodyLine)
      return true
    case 'toggleGroup':
      props.grouping?.run(reach, at, command)
      return true
    default:
      return undefined
  }
}

function runOnColumn<Row>(reach: GridContext<Row>, command: GridCommand, at: GridPosition): boolean | undefined {
  const place = reach.columnAt(at.column)
  switch (command.do) {
    case 'sort':
      if (place) reach.actions.sort(place.column.id, command.isAdding)
      else reach.actions.selectAll()
      return true
    case 'resize':
      if (place) reach.setWidth(place.column.id, place.widthPx + command.steps * COLUMN_WIDTH_PX.step, true)
      return true
    case 'enterCell':
      enterCell(reach, at)
      return true
    case 'leaveCell':
      return leaveCell(reach, at)
    default:
      return undefined
  }
}

function leaveCell<Row>(reach: GridContext<Row>, at: GridPosition): boolean {
  const grid = reach.gridRef.current
  const isInside = grid !== null && document.activeElement !== findCell(grid, at)
  if (isInside) reach.cell.send(at)
  const hadMarked = reach.marked.range !== undefined
  reach.marked.unmark()
  return isInside || hadMarked
}

export function enterCell<Row>({ gridRef }: GridContext<Row>, at: GridPosition): boolean {
  const cell = gridRef.current && findCell(gridRef.current, at)
  const controls = cell?.querySelectorAll<HTMLElement>('button, input, select, textarea, a[href]')
  const control = controls?.item(controls.length - 1)
  control?.focus()
  // After the key event: a menu closes at a key press elsewhere, and this one is still bubbling.
  if (control?.getAttribute('aria-haspopup')) setTimeout(() => control.click())
  return control !== undefined
}
