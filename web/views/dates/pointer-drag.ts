import type { PointerEvent } from 'react'
import { type DragArea, EDGE_PX, edgeScroll, followDrag, swallowClick } from '#web/ui/browser/pointer-drag.ts'

export type PointerAt = { readonly xPx: number; readonly yPx: number }

type TimeDrag = {
  /** Called for each move, and again when the page has scrolled under the pointer. */
  readonly onMove: (at: PointerAt) => void
  readonly onEnd: (isCanceled: boolean) => void
}

/** Follows a drag that has begun, and scrolls near the edges. */
export function followTimeDrag(
  pointerId: number,
  scroller: HTMLElement | null | undefined,
  { onMove, onEnd }: TimeDrag,
): void {
  document.getSelection()?.removeAllRanges()
  let last: PointerAt | undefined
  const scroll =
    scroller &&
    edgeScroll(
      scroller,
      () => innerArea(scroller),
      () => last && onMove(last),
    )
  followDrag(
    {
      onMove: (at) => {
        last = at
        onMove(at)
        scroll?.moveTo(at)
      },
      onEnd: ({ isCanceled }) => {
        scroll?.stop()
        swallowClick()
        onEnd(isCanceled)
      },
    },
    pointerId,
  )
}

/** Dragging beyond this area scrolls. */
function innerArea(scroller: HTMLElement): DragArea {
  const { left, right, top, bottom } = scroller.getBoundingClientRect()
  return { left: left + EDGE_PX, right: right - EDGE_PX, top: top + EDGE_PX, bottom: bottom - EDGE_PX }
}

/** In px: a shorter move of the mouse is a click. */
const MIN_DRAG_PX = 4

/** In ms: a touch must rest this long before it drags, because a moving one scrolls. */
const LONG_PRESS_MS = 350

/** In px: a touch that moves farther scrolls. */
const MAX_REST_PX = 8

/** Calls back once a press has become a drag: after a short distance, or for touch after a pause. */
export function whenDragged(press: PointerEvent<HTMLElement>, onDrag: () => void): void {
  const controller = new AbortController()
  const { signal } = controller
  const { clientX, clientY, pointerId, pointerType } = press
  const isTouch = pointerType === 'touch'
  const begin = () => {
    controller.abort()
    if (isTouch) holdPage()
    onDrag()
  }
  const timer = isTouch ? setTimeout(begin, LONG_PRESS_MS) : undefined
  signal.addEventListener('abort', () => clearTimeout(timer))
  const onMove = (event: globalThis.PointerEvent) => {
    if (event.pointerId !== pointerId) return
    const farPx = Math.hypot(event.clientX - clientX, event.clientY - clientY)
    if (isTouch && farPx > MAX_REST_PX) controller.abort()
    else if (!isTouch && farPx > MIN_DRAG_PX) begin()
  }
  document.addEventListener('pointermove', onMove, { signal })
  for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => controller.abort(), { signal })
}

/** Keeps the page from scrolling until the touch ends. */
function holdPage(): void {
  const controller = new AbortController()
  const { signal } = controller
  const stop = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('touchmove', (event) => event.preventDefault(), { signal, passive: false })
  document.addEventListener('contextmenu', stop, { signal, capture: true })
  for (const end of ['touchend', 'touchcancel']) document.addEventListener(end, () => controller.abort(), { signal })
}
