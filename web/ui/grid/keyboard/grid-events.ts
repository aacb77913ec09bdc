import type { ClipboardEvent, DragEvent, FocusEvent, KeyboardEvent, MouseEvent } from 'react'
import { type GridContext, kindOfLine } from '#web/ui/grid/grid-context.ts'
import { commandFor, type GridCommand, mirrored, pressOf } from './keyboard.ts'
import { pressKey } from './type-ahead.ts'
import { positionOf } from '#web/ui/grid/selection/use-active-cell.ts'

/** Listeners for the root of the grid: one for all cells, so that cells need none and are left alone. */
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
      // A click lands on a cell that is in sight; Tab may land on one that is not.
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
  // An accent or a dictionary goes on in the editor, so its first key must not be taken away.
  if (isDone && !(command?.do === 'edit' && command.seed === '')) event.preventDefault()
}

/** Inside a cell's own inputs and buttons the keys are theirs; Escape leads back to the cell. */
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

/** Whether a click on a link stays in this page; with a key held the browser opens a new tab or window. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
}
