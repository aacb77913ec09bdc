import type { MouseEvent } from 'react'
import { type DragArea, EDGE_PX, edgeScroll, followDrag, swallowClick } from '#web/ui/browser/pointer-drag.ts'
import type { GridContext } from '#web/ui/grid/grid-context.ts'
import { positionOf } from '#web/ui/grid/selection/use-active-cell.ts'
import { moveColumnTo } from './column-commands.ts'
import { canMoveTo, shownColumns } from './column-layout.ts'

/** Distance in px after which a press is treated as a drag rather than a click. */
const MIN_DRAG_PX = 6

/** In ms: how long a header must be pressed to start a column drag on touch devices; a shorter press scrolls. */
const LONG_PRESS_MS = 350

const headerOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('.grid-header-cell[data-column-id]') : null

/** The header to drag; undefined if one of its controls was pressed. */
function draggedHeader<Row>({ props }: GridContext<Row>, target: EventTarget | null): HTMLElement | null {
  const isOnControl = target instanceof Element && target.closest('button:not([data-sort]), input, .grid-resize')
  return props.onLayout && !isOnControl ? headerOf(target) : null
}

/** Starts dragging a column from its header. Returns whether the press was on a header. */
export function pressHeader<Row>(getContext: () => GridContext<Row>, event: MouseEvent<HTMLElement>): boolean {
  const { target, currentTarget: grid, clientX, button } = event
  const header = button === 0 ? draggedHeader(getContext(), target) : null
  if (header) dragColumn(getContext, { grid, header, startX: clientX })
  return headerOf(target) !== null
}

/** Lets touch users drag a column with a long press. Returns a cleanup function. */
export function watchHeaderTouches<Row>(getContext: () => GridContext<Row>, grid: HTMLElement): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  const headers = grid.querySelector<HTMLElement>('.grid-header')
  let isDragging = false
  const drag = (header: HTMLElement, { clientX, pointerId }: PointerEvent) => {
    isDragging = true
    // The active header stays rendered, so that its touch continues when the grid scrolls.
    const at = positionOf(grid, header)
    if (at) getContext().cell.activate(at)
    dragColumn(getContext, { grid, header, startX: clientX, pointerId, onEnd: () => (isDragging = false) })
  }
  const press = (event: PointerEvent) => {
    const header = event.pointerType === 'mouse' ? null : draggedHeader(getContext(), event.target)
    if (header) afterLongPress(event, () => drag(header, event))
  }
  const keep = (event: Event) => {
    if (isDragging) event.preventDefault()
  }
  headers?.addEventListener('pointerdown', press, { signal })
  headers?.addEventListener('contextmenu', keep, { signal })
  // Registered before the touch starts, because a scroll that has already started can't be canceled.
  headers?.addEventListener('touchmove', keep, { signal, passive: false })
  return () => stopping.abort()
}

function afterLongPress({ clientX, clientY, pointerId }: PointerEvent, then: () => void): void {
  const waiting = new AbortController()
  const stop = () => {
    clearTimeout(timer)
    waiting.abort()
  }
  const timer = setTimeout(() => {
    stop()
    then()
  }, LONG_PRESS_MS)
  const options = { signal: waiting.signal }
  const isSame = (event: PointerEvent) => event.pointerId === pointerId
  const isFar = (event: PointerEvent) => Math.hypot(event.clientX - clientX, event.clientY - clientY) >= MIN_DRAG_PX
  document.addEventListener('pointermove', (event) => isSame(event) && isFar(event) && stop(), options)
  document.addEventListener('pointerup', (event) => isSame(event) && stop(), options)
  document.addEventListener('pointercancel', (event) => isSame(event) && stop(), options)
}

type ColumnDrag = {
  readonly grid: HTMLElement
  readonly header: HTMLElement
  readonly startX: number
  /** Pointer ID of a long press. */
  readonly pointerId?: number
  readonly onEnd?: () => void
}

function dragColumn<Row>(
  getContext: () => GridContext<Row>,
  { grid, header, startX, pointerId, onEnd }: ColumnDrag,
): void {
  const { columnId = '' } = header.dataset
  const indicator = dropIndicator(grid, header)
  let atX = startX
  let to: number | undefined
  const show = () => {
    const { props, layout } = getContext()
    const headers = otherHeaders(grid, shownColumns(props.columns, layout).ids, columnId)
    const found = dropPlace(headers, atX)
    to = found && canMoveTo(props.columns, layout, columnId, found.place) ? found.place : undefined
    indicator.show(to === undefined ? undefined : found?.edgePx)
  }
  if (pointerId !== undefined) show()
  const scroll = edgeScroll(grid, () => innerArea(grid), show)
  const drag = {
    onMove: ({ xPx, yPx }: { readonly xPx: number; readonly yPx: number }) => {
      atX = xPx
      if (!indicator.isDragging() && Math.abs(xPx - startX) < MIN_DRAG_PX) return
      show()
      scroll.moveTo({ xPx, yPx })
    },
    onEnd: ({ isCanceled }: { readonly isCanceled: boolean }) => {
      scroll.stop()
      if (indicator.isDragging()) swallowClick()
      indicator.remove()
      onEnd?.()
      if (to !== undefined && !isCanceled) moveColumnTo(getContext(), columnId, to)
    },
  }
  followDrag(drag, pointerId)
}

type HeaderEdges = { readonly place: number; readonly startPx: number; readonly endPx: number }

function otherHeaders(grid: Element, ids: readonly string[], movedId: string): HeaderEdges[] {
  const isRtl = getComputedStyle(grid).direction === 'rtl'
  const others = ids.filter((id) => id !== movedId)
  return others.flatMap((id, place) => {
    const rect = grid.querySelector(`[data-column-id="${CSS.escape(id)}"]`)?.getBoundingClientRect()
    if (!rect) return []
    return isRtl ? { place, startPx: rect.right, endPx: rect.left } : { place, startPx: rect.left, endPx: rect.right }
  })
}

function dropPlace(headers: readonly HeaderEdges[], atX: number): { place: number; edgePx: number } | undefined {
  const isBeyond = ({ startPx, endPx }: HeaderEdges) => (endPx > startPx ? 1 : -1) * ((startPx + endPx) / 2 - atX) > 0
  const next = headers.find(isBeyond)
  if (next) return { place: next.place, edgePx: next.startPx }
  const last = headers.at(-1)
  return last && { place: last.place + 1, edgePx: last.endPx }
}

function innerArea(grid: Element): DragArea {
  const { left, right } = grid.getBoundingClientRect()
  return {
    left: left + EDGE_PX,
    right: right - EDGE_PX,
    top: Number.NEGATIVE_INFINITY,
    bottom: Number.POSITIVE_INFINITY,
  }
}

/** A line at the drop position, managed outside React because it exists only while dragging. */
function dropIndicator(grid: HTMLElement, header: HTMLElement) {
  const line = document.createElement('div')
  line.className = 'grid-drop-indicator'
  line.hidden = true
  return {
    isDragging: () => line.isConnected,
    show: (edgePx: number | undefined) => {
      if (!line.isConnected) grid.parentElement?.append(line)
      grid.dataset['dragging'] = 'column'
      header.dataset['dragged'] = ''
      line.hidden = edgePx === undefined
      line.style.left = `${(edgePx ?? 0) - grid.getBoundingClientRect().left - 1}px`
    },
    remove: () => {
      delete grid.dataset['dragging']
      delete header.dataset['dragged']
      line.remove()
    },
  }
}
