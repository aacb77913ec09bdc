import type { MouseEvent } from 'react'
import { canMoveTo, shownColumns } from './column-order.ts'
import { type DragArea, edgeScroll, followDrag, swallowClick } from '#web/ui/grid/selection/drag.ts'
import { moveColumnTo } from './column-commands.ts'
import type { GridContext } from '#web/ui/grid/grid-context.ts'

/** A press moves this far before it is a drag and not a click. */
const SLACK_PX = 6

/** So near an edge the grid scrolls along. */
const EDGE_PX = 32

/** A press on the header of a column: a drag from there moves it. Says whether the press was the header's. */
export function pressHeader<Row>(reachNow: () => GridContext<Row>, event: MouseEvent<HTMLElement>): boolean {
  const { target, currentTarget: grid, clientX } = event
  const header = target instanceof Element ? target.closest<HTMLElement>('.grid-head-cell') : null
  const columnId = header?.dataset['columnId']
  if (!(target instanceof Element) || columnId === undefined) return false
  const isOnOther = target.closest('button:not([data-sort]), .grid-resize') !== null
  if (!isOnOther && event.button === 0 && reachNow().props.onLayout) dragColumn(reachNow, grid, columnId, clientX)
  return true
}

function dragColumn<Row>(reachNow: () => GridContext<Row>, grid: HTMLElement, columnId: string, startX: number): void {
  const mark = dropIndicator(grid)
  let atX = startX
  let to: number | undefined
  const show = () => {
    const { props, layout } = reachNow()
    const headers = otherHeaders(grid, shownColumns(props.columns, layout).ids, columnId)
    const found = dropPlace(headers, atX)
    to = found && canMoveTo(props.columns, layout, columnId, found.place) ? found.place : undefined
    mark.show(to === undefined ? undefined : found?.edgePx)
  }
  const scroll = edgeScroll(grid, () => middleOf(grid), show)
  followDrag({
    onMove: ({ xPx, yPx }) => {
      atX = xPx
      if (!mark.isDragging() && Math.abs(xPx - startX) < SLACK_PX) return
      show()
      scroll.moveTo({ xPx, yPx })
    },
    onEnd: ({ isCalledOff }) => {
      scroll.stop()
      if (mark.isDragging()) swallowClick()
      mark.remove()
      if (to !== undefined && !isCalledOff) moveColumnTo(reachNow(), columnId, to)
    },
  })
}

type Header = { readonly place: number; readonly startPx: number; readonly endPx: number }

/** The drawn headers of the other columns, with the places they have among themselves, along the direction of reading. */
function otherHeaders(grid: Element, ids: readonly string[], movedId: string): Header[] {
  const isRtl = getComputedStyle(grid).direction === 'rtl'
  const others = ids.filter((id) => id !== movedId)
  return others.flatMap((id, place) => {
    const rect = grid.querySelector(`[data-column-id="${CSS.escape(id)}"]`)?.getBoundingClientRect()
    if (!rect) return []
    return isRtl ? { place, startPx: rect.right, endPx: rect.left } : { place, startPx: rect.left, endPx: rect.right }
  })
}

/** Where a column would go if it were let go here, and the edge to show for it. */
function dropPlace(headers: readonly Header[], atX: number): { place: number; edgePx: number } | undefined {
  const isBeyond = ({ startPx, endPx }: Header) => (endPx > startPx ? 1 : -1) * ((startPx + endPx) / 2 - atX) > 0
  const next = headers.find(isBeyond)
  if (next) return { place: next.place, edgePx: next.startPx }
  const last = headers.at(-1)
  return last && { place: last.place + 1, edgePx: last.endPx }
}

function middleOf(grid: Element): DragArea {
  const { left, right } = grid.getBoundingClientRect()
  return {
    left: left + EDGE_PX,
    right: right - EDGE_PX,
    top: Number.NEGATIVE_INFINITY,
    bottom: Number.POSITIVE_INFINITY,
  }
}

/** The line that shows where a column would go; outside React, because it lives no longer than a drag. */
function dropIndicator(grid: HTMLElement) {
  const line = document.createElement('div')
  line.className = 'grid-drop-mark'
  line.hidden = true
  return {
    isDragging: () => line.isConnected,
    show: (edgePx: number | undefined) => {
      if (!line.isConnected) grid.parentElement?.append(line)
      grid.dataset['dragging'] = 'column'
      line.hidden = edgePx === undefined
      line.style.left = `${(edgePx ?? 0) - grid.getBoundingClientRect().left - 1}px`
    },
    remove: () => {
      delete grid.dataset['dragging']
      line.remove()
    },
  }
}
