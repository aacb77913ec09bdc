import type { FocusEvent, KeyboardEvent, MouseEvent, RefObject } from 'react'
import { type ActiveCell, findCell, positionOf } from './use-active-cell.ts'
import { COLUMN_WIDTH_PX, type PlacedColumn } from './grid-column.ts'
import {
  commandFor,
  type GridCommand,
  type GridExtent,
  type GridPosition,
  type KeyPlace,
  mirrored,
  moved,
} from './keyboard.ts'
import type { GridActions } from './use-grid-actions.ts'

/** What the events of a grid act upon. */
export type GridEventsInput<Row> = {
  readonly gridRef: RefObject<HTMLElement | null>
  readonly cell: ActiveCell
  readonly extent: GridExtent
  readonly actions: GridActions
  readonly placeOf: (line: number) => KeyPlace
  readonly columnAt: (index: number) => PlacedColumn<Row> | undefined
  readonly reveal: (position: GridPosition) => void
  readonly onResize: (columnId: string, widthPx: number, isFinal: boolean) => void
}

/** Listeners for the root of the grid: one for all cells, so that cells need none and are left alone. */
export function gridEvents<Row>(input: GridEventsInput<Row>) {
  return {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(input, event),
    onClick: (event: MouseEvent<HTMLElement>) => onClick(input, event),
    onDoubleClick: (event: MouseEvent<HTMLElement>) => onDoubleClick(input, event),
    onFocus: (event: FocusEvent<HTMLElement>) => {
      const position = positionOf(event.currentTarget, event.target)
      if (!position) return
      input.cell.arrive(position)
      // A click lands on a cell that is in sight; Tab may land on one that is not.
      if (event.target.matches(':focus-visible')) input.reveal(position)
    },
  }
}

function onKeyDown<Row>(input: GridEventsInput<Row>, event: KeyboardEvent<HTMLElement>): void {
  const { extent, placeOf } = input
  const from = positionOf(event.currentTarget, event.target)
  if (!from || event.defaultPrevented) return
  const command = commandFor(document.dir === 'rtl' ? mirrored(event) : event, placeOf(from.line))
  if (!command || belongsToWidget(event.target, command)) return

  event.preventDefault()
  const to = moved(command, from, extent)
  if (to !== from) {
    input.cell.send(to)
    input.reveal(to)
  } else {
    run(input, command, from)
  }
}

function run<Row>(input: GridEventsInput<Row>, command: GridCommand, at: GridPosition): void {
  const { actions, extent, gridRef } = input
  const bodyLine = at.line - extent.headLines
  const place = input.columnAt(at.column)
  switch (command.do) {
    case 'sort':
      if (place) actions.sort(place.column.id, command.isAdding)
      else actions.selectAll()
      return
    case 'resize':
      if (place) input.onResize(place.column.id, place.widthPx + command.steps * COLUMN_WIDTH_PX.step, true)
      return
    case 'select':
      return actions.selectRow(bodyLine, false)
    case 'selectAll':
      return actions.selectAll()
    case 'open':
      return actions.open(bodyLine)
    case 'toggleGroup':
      return actions.toggleGroup(bodyLine, command.to)
    case 'enterCell':
      return gridRef.current ? enterCell(findCell(gridRef.current, at)) : undefined
    case 'leaveCell':
      return input.cell.send(at)
    case 'move':
    case 'page':
    case 'edge':
      return undefined
  }
}

/** Inside a cell's own inputs and buttons the keys are theirs; Escape leads back to the cell. */
function belongsToWidget(target: EventTarget, command: GridCommand): boolean {
  if (!(target instanceof HTMLElement) || target.dataset['column'] !== undefined) return false
  if (command.do === 'leaveCell') return false
  const isTyping = target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select')
  const isPressing =
    command.do === 'open' || command.do === 'select' || command.do === 'sort' || command.do === 'toggleGroup'
  return isTyping || isPressing
}

/** Sends the focus to the last control inside a cell: the menu of a header, the input of a filter. */
function enterCell(cell: HTMLElement | null): void {
  const controls = cell?.querySelectorAll<HTMLElement>('button, input, select, textarea, a[href]')
  const control = controls?.item(controls.length - 1)
  control?.focus()
  if (control?.getAttribute('aria-haspopup')) control.click()
}

function onClick<Row>(input: GridEventsInput<Row>, event: MouseEvent<HTMLElement>): void {
  const { actions, extent } = input
  const { target, currentTarget } = event
  const at = positionOf(currentTarget, target)
  if (!at || !(target instanceof HTMLElement)) return
  const bodyLine = at.line - extent.headLines

  const sorted = target.closest<HTMLElement>('[data-sort]')?.dataset['sort']
  if (sorted !== undefined) return actions.sort(sorted, event.shiftKey)
  const select = target.closest<HTMLElement>('[data-select]')?.dataset['select']
  if (select === 'all') return actions.selectAll()
  if (select === 'row') return actions.selectRow(bodyLine, event.shiftKey)
  if (target.closest('[data-group]')) return actions.toggleGroup(bodyLine, 'other')
  if (target.closest('[data-open]') && isPlainClick(event)) {
    event.preventDefault()
    actions.open(bodyLine)
  }
}

function onDoubleClick<Row>(input: GridEventsInput<Row>, event: MouseEvent<HTMLElement>): void {
  const at = positionOf(event.currentTarget, event.target)
  const isOnControl =
    event.target instanceof HTMLElement && event.target.closest('[data-select], [data-open], button, input')
  if (at && !isOnControl && input.placeOf(at.line) === 'row') input.actions.open(at.line - input.extent.headLines)
}

/** Whether a click on a link stays in this page; with a key held the browser opens a new tab or window. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
}
