import type { ClipboardEvent, DragEvent, FocusEvent, KeyboardEvent, MouseEvent } from 'react'
import { type GridContext, kindOfLine, placeOf, positionAt } from '#web/ui/grid/grid-context.ts'
import {
  commandFor,
  endOf,
  type GridCommand,
  type GridMovement,
  type GridPosition,
  isMovement,
  type KeyPress,
  mirrored,
  moved,
  type PendingKey,
  pressOf,
} from './keyboard.ts'
import { findCell, positionOf } from '#web/ui/grid/selection/use-active-cell.ts'
import { oneCell } from '#web/ui/grid/selection/cell-range.ts'
import { COLUMN_WIDTH_PX } from '#web/ui/grid/columns/grid-column.ts'

const INTERACTION_COMMANDS: ReadonlySet<GridCommand['do']> = new Set([
  ...(['selectCells', 'edit', 'editOrOpen', 'clear', 'fill', 'undo', 'redo'] as const),
  ...(['toggleOrOpen', 'moveColumn', 'fitColumn'] as const),
])

/**
 * Runs the command for a key, or queues the key until the code is loaded. Returns false if the browser should handle
 * the key.
 */
function pressKey<Row>(context: GridContext<Row>, loadInteractions: () => void, press: KeyPress, at: GridPosition) {
  const { pendingKeys, editing, interactions } = context
  const phase = editing.phase()
  if (pendingKeys.length > 0 || phase === 'closing') return queueKey(context, press)
  if (phase === 'opening') return typeAhead(context, press)
  const command = commandFor(press, kindOfLine(context, at.line))
  if (!command) return false
  if (interactions || !INTERACTION_COMMANDS.has(command.do)) return runCommand(context, command, at)
  loadInteractions()
  pendingKeys.push({ press, at })
  return true
}

/** A key pressed after queued keys is also queued, unless the browser should handle it. */
function queueKey<Row>(context: GridContext<Row>, press: KeyPress): boolean {
  const isEditing =
    context.editing.phase() === 'closing' || context.pendingKeys.some((key) => key.press && startsEdit(key.press))
  if (!commandFor(press, 'row') && !(isEditing && (endOf(press) || press.key === 'Enter'))) return false
  context.pendingKeys.push({ press })
  return true
}

const startsEdit = (press: KeyPress): boolean => {
  const command = commandFor(press, 'row')?.do
  return command === 'edit' || command === 'editOrOpen'
}

/** Applies a key to a pending edit as the editor would. */
function typeAhead<Row>({ editing }: GridContext<Row>, press: KeyPress): boolean {
  const breaksLine = editing.current()?.column.breaksLines === true && press.key === 'Enter'
  const end = endOf(press)
  const command = commandFor(press, 'row')
  if (breaksLine && (press.shiftKey || press.altKey)) editing.type((typed) => `${typed}\n`)
  else if (end === 'cancel') editing.cancel()
  else if (end) editing.commit(end)
  else if (press.key === 'Backspace') editing.type((typed) => [...typed].slice(0, -1).join(''))
  else if (press.key === ' ') editing.type((typed) => `${typed} `)
  else if (command?.do === 'edit') editing.type((typed) => typed + (command.seed ?? ''))
  else return command !== undefined
  return true
}

/** Handles as many queued keys as possible; called after every grid render. */
export function replayKeys<Row>(context: GridContext<Row>, rerender: () => void): void {
  const { pendingKeys, interactions, editing } = context
  // After an edit, the next cell is known only after it has been rendered.
  const isNotDrawn = editing.edited !== undefined && editing.phase() === 'none'
  if (!interactions || isNotDrawn) return
  while (pendingKeys.length > 0 && editing.phase() !== 'closing') {
    // The typed value was rejected, so the editor keeps focus.
    if (editing.phase() === 'open') pendingKeys.length = 0
    else if (replayKey(context, pendingKeys.shift())) return rerender()
  }
}

/** Returns true if the next key can be handled: this key ran a command and isn't opening an editor. */
function replayKey<Row>(context: GridContext<Row>, { press, at = context.cell.active }: PendingKey = {}): boolean {
  const { editing } = context
  if (editing.phase() === 'opening') {
    if (press) typeAhead(context, press)
    else editing.commit(undefined)
    return false
  }
  const command = press && commandFor(press, kindOfLine(context, at.line))
  if (command) runCommand(context, command, at)
  return command !== undefined && editing.phase() !== 'opening'
}

/** Event listeners on the grid's root, so that cells don't need their own. */
export function gridEvents<Row>(
  context: GridContext<Row>,
  loadInteractions: () => void,
  openMenuOnceLoaded: (event: MouseEvent<HTMLElement>) => void,
) {
  const { interactions } = context
  return {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(context, loadInteractions, event),
    onMouseDown: (event: MouseEvent<HTMLElement>) => {
      if (context.pendingKeys.length > 0) context.pendingKeys.push({})
      if (interactions) interactions.press(event)
      else loadInteractions()
    },
    onClick: (event: MouseEvent<HTMLElement>) => onClick(context, event),
    onDoubleClick: (event: MouseEvent<HTMLElement>) => onDoubleClick(context, loadInteractions, event),
    onCopy: (event: ClipboardEvent<HTMLElement>) =>
      interactions ? interactions.copy(event, false) : loadInteractions(),
    onCut: (event: ClipboardEvent<HTMLElement>) => (interactions ? interactions.copy(event, true) : loadInteractions()),
    onPaste: (event: ClipboardEvent<HTMLElement>) => (interactions ? interactions.paste(event) : loadInteractions()),
    onContextMenu: interactions?.menu ?? openMenuOnceLoaded,
    onDragOver: (event: DragEvent<HTMLElement>) => interactions?.dragFiles(event),
    onDragLeave: (event: DragEvent<HTMLElement>) => interactions?.dropFiles(event),
    onDrop: (event: DragEvent<HTMLElement>) => interactions?.dropFiles(event),
    onFocus: (event: FocusEvent<HTMLElement>) => {
      const position = positionOf(event.currentTarget, event.target)
      if (!position) return
      if (!interactions) loadInteractions()
      context.cell.activate(position)
      // A clicked cell is always visible, but Tab may focus a cell that isn't.
      if (event.target.matches(':focus-visible')) context.reveal(position)
    },
  }
}

function onKeyDown<Row>(
  context: GridContext<Row>,
  loadInteractions: () => void,
  event: KeyboardEvent<HTMLElement>,
): void {
  const at = positionOf(event.currentTarget, event.target)
  if (!at || event.defaultPrevented) return
  const press = document.dir === 'rtl' ? mirrored(event) : pressOf(event)
  const command = commandFor(press, kindOfLine(context, at.line))
  if (belongsToWidget(event.target, command)) return
  const isHandled = pressKey(context, loadInteractions, press, at)
  // The editor needs the first key of dead-key and input-method input, so its default must not be prevented.
  if (isHandled && !(command?.do === 'edit' && command.seed === '')) event.preventDefault()
}

/** Inputs and buttons inside a cell handle their own keys; Escape returns focus to the cell. */
function belongsToWidget(target: EventTarget, command: GridCommand | undefined): boolean {
  if (!(target instanceof HTMLElement) || target.dataset['column'] !== undefined) return false
  if (!command) return true
  if (command.do === 'leaveCell') return false
  const isTyping = target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select')
  const isOwn = command.do === 'fitColumn' || command.do === 'moveColumn'
  const isMoving = command.do === 'move' || command.do === 'page' || command.do === 'edge'
  return isTyping || !(isMoving || isOwn)
}

function onClick<Row>(context: GridContext<Row>, event: MouseEvent<HTMLElement>): void {
  const { actions, extent } = context
  const { target, currentTarget } = event
  const at = positionOf(currentTarget, target)
  if (!at || !(target instanceof Element)) return
  const bodyLine = at.line - extent.headerLines

  const sorted = target.closest<HTMLElement>('[data-sort]')?.dataset['sort']
  if (sorted !== undefined) return actions.sort(sorted, event.shiftKey)
  if (target.closest('[data-open]')) {
    if (!isPlainClick(event)) return
    event.preventDefault()
    return actions.open(bodyLine)
  }
  const select = target.closest<HTMLElement>('[data-select]')?.dataset['select']
  if (select === 'all') return actions.selectAll()
  if (select === 'row') return actions.selectRow(bodyLine, event.shiftKey)
  if (target.closest('[data-group]')) actions.toggleGroup(bodyLine, event.shiftKey)
}

const ENTER = { key: 'Enter', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }

function onDoubleClick<Row>(
  context: GridContext<Row>,
  loadInteractions: () => void,
  event: MouseEvent<HTMLElement>,
): void {
  const at = positionOf(event.currentTarget, event.target)
  if (!at || !(event.target instanceof Element)) return
  const column = context.columnAt(at.column)?.column
  if (event.target.closest('.grid-resize') && column) return context.interactions?.fitColumn(column.id)
  if (event.target.closest('[data-select], [data-open], button, input') || kindOfLine(context, at.line) !== 'row')
    return
  if (context.editing.phase() === 'none') pressKey(context, loadInteractions, ENTER, at)
}

/** False with a modifier key, because the browser then opens a new tab or window. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
}

function runCommand<Row>(context: GridContext<Row>, command: GridCommand, at: GridPosition): boolean {
  if (isMovement(command))
    return command.isExtending ? extendRange(context, command, at) : moveFocus(context, command, at)
  return (
    context.interactions?.run(command, at) ??
    runOnRow(context, command, at) ??
    runOnColumn(context, command, at) ??
    false
  )
}

function moveFocus<Row>(context: GridContext<Row>, command: GridMovement, at: GridPosition): boolean {
  const to = moved(command, at, context.extent)
  context.cell.focus(to)
  context.reveal(to)
  return true
}

function extendRange<Row>(context: GridContext<Row>, command: GridMovement, at: GridPosition): boolean {
  const { cellRange, bounds } = context
  const range = cellRange.range ?? oneCell(placeOf(context, at))
  const { line, column } = moved(command, positionAt(context, range.focus), context.extent)
  const focus = {
    line: Math.max(line - context.extent.headerLines, 0),
    column: Math.max(column, bounds.firstColumn),
  }
  cellRange.select({ ...range, focus }, at)
  context.reveal(positionAt(context, focus))
  return true
}

function runOnRow<Row>(context: GridContext<Row>, command: GridCommand, at: GridPosition): boolean | undefined {
  const { actions, props } = context
  const bodyLine = at.line - context.extent.headerLines
  switch (command.do) {
    case 'toggleOrOpen':
      if (at.column < context.bounds.firstColumn) actions.selectRow(bodyLine, false)
      else actions.open(bodyLine)
      return true
    case 'selectAll':
      actions.selectAll()
      return true
    case 'open':
      actions.open(bodyLine)
      return true
    case 'toggleGroup':
      props.grouping?.run(context, at, command)
      return true
    default:
      return undefined
  }
}

function runOnColumn<Row>(context: GridContext<Row>, command: GridCommand, at: GridPosition): boolean | undefined {
  const place = context.columnAt(at.column)
  switch (command.do) {
    case 'sort':
      if (place) context.actions.sort(place.column.id, command.isAdding)
      else if (at.column < context.bounds.firstColumn) context.actions.selectAll()
      else enterCell(context, at)
      return true
    case 'resize':
      if (place) context.setWidth(place.column.id, place.widthPx + command.steps * COLUMN_WIDTH_PX.step, true)
      return true
    case 'enterCell':
      enterCell(context, at)
      return true
    case 'leaveCell':
      return leaveCell(context, at)
    default:
      return undefined
  }
}

function leaveCell<Row>(context: GridContext<Row>, at: GridPosition): boolean {
  const grid = context.gridRef.current
  const isInside = grid !== null && document.activeElement !== findCell(grid, at)
  if (isInside) context.cell.focus(at)
  const hadRange = context.cellRange.range !== undefined
  context.cellRange.clear()
  return isInside || hadRange
}

export function enterCell<Row>({ gridRef }: GridContext<Row>, at: GridPosition): boolean {
  const cell = gridRef.current && findCell(gridRef.current, at)
  const controls = cell?.querySelectorAll<HTMLElement>('button, input, select, textarea, a[href]')
  const control = controls?.item(controls.length - 1)
  control?.focus()
  // Delayed, because the key event is still bubbling and menus close on a key press outside them.
  if (control?.getAttribute('aria-haspopup')) setTimeout(() => control.click())
  return control !== undefined
}
