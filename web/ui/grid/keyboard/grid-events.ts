import type { ClipboardEvent, DragEvent, FocusEvent, KeyboardEvent, MouseEvent } from 'react'
import { type GridContext, kindOfLine } from '#web/ui/grid/grid-context.ts'
import {
  commandFor,
  endOf,
  type GridCommand,
  type GridPosition,
  type KeyPress,
  mirrored,
  type PendingKey,
  pressOf,
} from './keyboard.ts'
import { positionOf } from '#web/ui/grid/selection/use-active-cell.ts'
import { runCommand } from './grid-keys.ts'

const INTERACTION_COMMANDS: ReadonlySet<GridCommand['do']> = new Set([
  ...(['mark', 'edit', 'editOrOpen', 'clear', 'fill', 'undo', 'redo'] as const),
  ...(['select', 'moveColumn', 'fitColumn'] as const),
])

/**
 * Runs the command of a key, or queues it until the code or editor it needs has loaded, so that fast typing loses
 * nothing. False for a key of the browser.
 */
function pressKey<Row>(reach: GridContext<Row>, askForHands: () => void, press: KeyPress, at: GridPosition) {
  const { held, editing, hands } = reach
  const phase = editing.phase()
  if (held.length > 0 || phase === 'ending') return holdNext(reach, press)
  if (phase === 'coming') return typeAhead(reach, press)
  const command = commandFor(press, kindOfLine(reach, at.line))
  if (!command) return false
  if (hands || !INTERACTION_COMMANDS.has(command.do)) return runCommand(reach, command, at)
  askForHands()
  held.push({ press, at })
  return true
}

/** A key after queued ones is queued as well, unless it belongs to the browser. */
function holdNext<Row>(reach: GridContext<Row>, press: KeyPress): boolean {
  const isEditing = reach.editing.phase() === 'ending' || reach.held.some((key) => key.press && beginsEdit(key.press))
  if (!commandFor(press, 'row') && !(isEditing && (endOf(press) || press.key === 'Enter'))) return false
  reach.held.push({ press })
  return true
}

const beginsEdit = (press: KeyPress): boolean => {
  const wish = commandFor(press, 'row')?.do
  return wish === 'edit' || wish === 'editOrOpen'
}

/** Applies a key to an edit as its editor would have done. */
function typeAhead<Row>({ editing }: GridContext<Row>, press: KeyPress): boolean {
  const breaksLine = editing.now()?.column.breaksLines === true && press.key === 'Enter'
  const end = endOf(press)
  const command = commandFor(press, 'row')
  if (breaksLine && (press.shiftKey || press.altKey)) editing.type((typed) => `${typed}\n`)
  else if (end === 'cancel') editing.cancel()
  else if (end) editing.settle(end)
  else if (press.key === 'Backspace') editing.type((typed) => [...typed].slice(0, -1).join(''))
  else if (press.key === ' ') editing.type((typed) => `${typed} `)
  else if (command?.do === 'edit') editing.type((typed) => typed + (command.seed ?? ''))
  else return command !== undefined
  return true
}

/** Runs queued keys as far as possible; called after every render of the grid. */
export function replayKeys<Row>(reach: GridContext<Row>, drawAnew: () => void): void {
  const { held, hands, editing } = reach
  // After an edit the next cell is known only once it is rendered.
  const isBehind = editing.edited !== undefined && editing.phase() === 'none'
  if (!hands || isBehind) return
  while (held.length > 0 && editing.phase() !== 'ending') {
    // The typed value was rejected: the editor keeps focus.
    if (editing.phase() === 'here') held.length = 0
    else if (replayKey(reach, held.shift())) return drawAnew()
  }
}

/** True when the next key can belong to a cell that this one moves to. */
function replayKey<Row>(reach: GridContext<Row>, { press, at = reach.cell.active }: PendingKey = {}): boolean {
  const { editing } = reach
  if (editing.phase() === 'coming') {
    if (press) typeAhead(reach, press)
    else editing.settle(undefined)
    return false
  }
  const command = press && commandFor(press, kindOfLine(reach, at.line))
  if (command) runCommand(reach, command, at)
  return command !== undefined && editing.phase() !== 'coming'
}

/** Delegated listeners at the root of the grid, so that cells need none. */
export function gridEvents<Row>(reach: GridContext<Row>, ask: () => void) {
  const { hands } = reach
  return {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(reach, ask, event),
    onMouseDown: (event: MouseEvent<HTMLElement>) => {
      if (reach.held.length > 0) reach.held.push({})
      if (hands) hands.press(event)
      else ask()
    },
    onClick: (event: MouseEvent<HTMLElement>) => onClick(reach, event),
    onDoubleClick: (event: MouseEvent<HTMLElement>) => onDoubleClick(reach, ask, event),
    onCopy: (event: ClipboardEvent<HTMLElement>) => (hands ? hands.copy(event, false) : ask()),
    onCut: (event: ClipboardEvent<HTMLElement>) => (hands ? hands.copy(event, true) : ask()),
    onPaste: (event: ClipboardEvent<HTMLElement>) => (hands ? hands.paste(event) : ask()),
    onContextMenu: (event: MouseEvent<HTMLElement>) => hands?.menu(event),
    onDragOver: (event: DragEvent<HTMLElement>) => hands?.holdFiles(event),
    onDragLeave: (event: DragEvent<HTMLElement>) => hands?.dropFiles(event),
    onDrop: (event: DragEvent<HTMLElement>) => hands?.dropFiles(event),
    onFocus: (event: FocusEvent<HTMLElement>) => {
      const position = positionOf(event.currentTarget, event.target)
      if (!position) return
      if (!hands) ask()
      reach.cell.arrive(position)
      // A click hits a visible cell; Tab may focus one that is not.
      if (event.target.matches(':focus-visible')) reach.reveal(position)
    },
  }
}

function onKeyDown<Row>(reach: GridContext<Row>, ask: () => void, event: KeyboardEvent<HTMLElement>): void {
  const at = positionOf(event.currentTarget, event.target)
  if (!at || event.defaultPrevented) return
  const press = document.dir === 'rtl' ? mirrored(event) : pressOf(event)
  const command = commandFor(press, kindOfLine(reach, at.line))
  if (belongsToWidget(event.target, command)) return
  const isDone = pressKey(reach, ask, press, at)
  // Dead keys and input methods continue in the editor, so their first key must not be prevented.
  if (isDone && !(command?.do === 'edit' && command.seed === '')) event.preventDefault()
}

/** Inputs and buttons inside a cell handle their own keys; Escape returns to the cell. */
function belongsToWidget(target: EventTarget, command: GridCommand | undefined): boolean {
  if (!(target instanceof HTMLElement) || target.dataset['column'] !== undefined) return false
  if (!command) return true
  if (command.do === 'leaveCell') return false
  const isTyping = target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select')
  const isOwn = command.do === 'fitColumn' || command.do === 'moveColumn'
  const isMoving = command.do === 'move' || command.do === 'page' || command.do === 'edge'
  return isTyping || !(isMoving || isOwn)
}

function onClick<Row>(reach: GridContext<Row>, event: MouseEvent<HTMLElement>): void {
  const { actions, extent } = reach
  const { target, currentTarget } = event
  const at = positionOf(currentTarget, target)
  if (!at || !(target instanceof Element)) return
  const bodyLine = at.line - extent.headLines

  const sorted = target.closest<HTMLElement>('[data-sort]')?.dataset['sort']
  if (sorted !== undefined) return actions.sort(sorted, event.shiftKey)
  const select = target.closest<HTMLElement>('[data-select]')?.dataset['select']
  if (select === 'all') return actions.selectAll()
  if (select === 'row') return actions.selectRow(bodyLine, event.shiftKey)
  if (target.closest('[data-group]')) return actions.turnGroup(bodyLine, event.shiftKey)
  if (target.closest('[data-open]') && isPlainClick(event)) {
    event.preventDefault()
    actions.open(bodyLine)
  }
}

const ENTER = { key: 'Enter', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }

function onDoubleClick<Row>(reach: GridContext<Row>, ask: () => void, event: MouseEvent<HTMLElement>): void {
  const at = positionOf(event.currentTarget, event.target)
  if (!at || !(event.target instanceof Element)) return
  const column = reach.columnAt(at.column)?.column
  if (event.target.closest('.grid-resize') && column) return reach.hands?.fitColumn(column.id)
  if (event.target.closest('[data-select], [data-open], button, input') || kindOfLine(reach, at.line) !== 'row') return
  if (reach.editing.phase() === 'none') pressKey(reach, ask, ENTER, at)
}

/** Whether a click on a link stays in this page; with a modifier the browser opens a new tab or window. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
}
