import type { MouseEvent } from 'react'
import { EDGE_PX, edgeScroll, followDrag, swallowClick } from '#web/ui/browser/pointer-drag.ts'
import { type GridContext, rowOfPosition } from '#web/ui/grid/grid-context.ts'
import type { GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'
import { positionOf } from '#web/ui/grid/selection/use-active-cell.ts'

/** Moves a row past the row above or below it, within its group. */
export function moveRowBy<Row>(context: GridContext<Row>, at: GridPosition, by: -1 | 1): boolean {
  const { props, cell, reveal } = context
  if (!props.onMoveRow) return false
  const to = { ...at, line: at.line + by }
  const [row, neighbor] = [rowOfPosition(context, at), rowOfPosition(context, to)]
  if (row === undefined || neighbor === undefined) return true
  const [place, back] = by < 0 ? (['before', 'after'] as const) : (['after', 'before'] as const)
  props.onMoveRow(row, { place, neighbor }, { place: back, neighbor })
  cell.focus(to)
  reveal(to)
  return true
}

/** Distance in px after which a press is a drag rather than a click. */
const MIN_DRAG_PX = 6

/** Starts dragging a row by its number. Returns whether the press was on the number of a row that can be moved. */
export function pressRowNumber<Row>(getContext: () => GridContext<Row>, event: MouseEvent<HTMLElement>): boolean {
  const { target, currentTarget: grid, clientY, button } = event
  const isNumber = target instanceof Element && target.closest('[data-select="row"]') && !target.closest('button')
  const at = isNumber ? positionOf(grid, target) : undefined
  const context = getContext()
  const row = at && rowOfPosition(context, at)
  if (button !== 0 || !at || row === undefined || !context.props.onMoveRow) return false
  event.preventDefault()
  dragRow(getContext, { grid, row, line: at.line, startY: clientY })
  return true
}

type RowDrag<Row> = {
  readonly grid: HTMLElement
  readonly row: Row
  readonly line: number
  readonly startY: number
}

function dragRow<Row>(getContext: () => GridContext<Row>, { grid, row, line, startY }: RowDrag<Row>): void {
  const mark = document.createElement('div')
  mark.className = 'grid-drop-line'
  const former = neighborsOf(getContext(), line)
  let atY = startY
  let to: RowDrop | undefined
  const show = () => {
    to = dropAt(getContext(), grid, line, atY)
    mark.hidden = to === undefined
    if (!to) return
    mark.style.top = `${to.topPx}px`
    to.body.append(mark)
  }
  const scroll = edgeScroll(grid, () => areaOf(grid), show)
  followDrag({
    onMove: ({ xPx, yPx }) => {
      atY = yPx
      if (!mark.isConnected && Math.abs(yPx - startY) < MIN_DRAG_PX) return
      show()
      scroll.moveTo({ xPx, yPx })
    },
    onEnd: ({ isCanceled }) => {
      scroll.stop()
      if (mark.isConnected) swallowClick()
      mark.remove()
      const neighbor = to && rowOfPosition(getContext(), { line: to.line, column: 0 })
      if (!to || isCanceled || neighbor === undefined) return
      getContext().props.onMoveRow?.(row, { place: to.place, neighbor }, former)
    },
  })
}

/** Where the row was, so that the move can be undone. */
function neighborsOf<Row>(context: GridContext<Row>, line: number) {
  const before = rowOfPosition(context, { line: line - 1, column: 0 })
  if (before !== undefined) return { place: 'after', neighbor: before } as const
  const after = rowOfPosition(context, { line: line + 1, column: 0 })
  return after === undefined ? undefined : ({ place: 'before', neighbor: after } as const)
}

type RowDrop = {
  readonly line: number
  readonly place: 'before' | 'after'
  readonly body: HTMLElement
  readonly topPx: number
}

/** The place in the row's own group that is nearest to the pointer; undefined if the row would stay where it is. */
function dropAt<Row>(context: GridContext<Row>, grid: HTMLElement, from: number, yPx: number): RowDrop | undefined {
  const body = grid.querySelector<HTMLElement>('.grid-body')
  const rows = [...grid.querySelectorAll<HTMLElement>('.grid-body > .grid-row[data-line]')]
  const under = rows.find((each) => {
    const { top, bottom } = each.getBoundingClientRect()
    return yPx >= top && yPx < bottom
  })
  if (!body || !under) return undefined
  const line = Number(under.dataset['line'])
  const { top, height } = under.getBoundingClientRect()
  const place = yPx < top + height / 2 ? 'before' : 'after'
  const stays = line === from || line === from + (place === 'before' ? 1 : -1)
  if (stays || !isSameGroup(context, from, line)) return undefined
  return { line, place, body, topPx: top - body.getBoundingClientRect().top + (place === 'after' ? height : 0) }
}

function isSameGroup<Row>({ lines, extent }: GridContext<Row>, one: number, other: number): boolean {
  if (!lines.isGrouped) return true
  const [first, last] = [Math.min(one, other), Math.max(one, other)]
  for (let line = first; line <= last; line += 1)
    if (lines.lineAt(line - extent.headerLines)?.kind !== 'row') return false
  return true
}

const areaOf = (grid: HTMLElement) => {
  const { top, bottom } = grid.getBoundingClientRect()
  const head = grid.querySelector('.grid-header')?.getBoundingClientRect().bottom ?? top
  return {
    left: Number.NEGATIVE_INFINITY,
    right: Number.POSITIVE_INFINITY,
    top: head + EDGE_PX,
    bottom: bottom - EDGE_PX,
  }
}
