export type PointerAt = { readonly xPx: number; readonly yPx: number }

type Drag = {
  readonly onMove: (at: PointerAt) => void
  /** Canceled by Escape, by the browser, or when the window loses focus. */
  readonly onEnd: (end: { readonly isCanceled: boolean; readonly hasCtrl: boolean }) => void
}

/** Tracks a mouse button, touch or pen from the press until its release. */
export function followDrag({ onMove, onEnd }: Drag, pointerId?: number): void {
  const controller = new AbortController()
  const options = { signal: controller.signal, capture: true }
  const end = (isCanceled: boolean, hasCtrl = false) => {
    controller.abort()
    onEnd({ isCanceled, hasCtrl })
  }
  const drop = (event: MouseEvent) => end(false, event.ctrlKey || event.metaKey)
  const isSame = (event: PointerEvent) => pointerId === undefined || event.pointerId === pointerId
  const move = (event: PointerEvent) => {
    if (!isSame(event)) return
    // Releasing a mouse button outside the window isn't reported.
    if (event.buttons === 0) end(false)
    else onMove({ xPx: event.clientX, yPx: event.clientY })
  }
  // Listens on the document, because a dragged element may move in the DOM and lose pointer capture.
  document.addEventListener('pointermove', move, options)
  document.addEventListener('pointerup', (event) => isSame(event) && drop(event), options)
  document.addEventListener('pointercancel', (event) => isSame(event) && end(true), options)
  // After a tap, browsers fire mouse events only after the pointer has been lifted.
  document.addEventListener('mouseup', drop, options)
  // Ignores blur events from elements, which are also received here.
  window.addEventListener('blur', (event) => event.target === window && end(true), options)
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      end(true)
    },
    options,
  )
}

export type DragArea = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Distance from the edge in px within which dragging scrolls the container. */
export const EDGE_PX = 32

/** Scroll speed in px per second: minimum at the edge, increase per px beyond it, and maximum. */
const SCROLL_SPEED_PX = { min: 200, perPx: 16, max: 3000 } as const

/** Limits the frame time, so that a delayed frame doesn't cause a jump. */
const MAX_FRAME_MS = 50

export function edgeScroll(scroller: HTMLElement, areaNow: () => DragArea, onScrolled: () => void) {
  let at: PointerAt | undefined
  let frame = 0
  let lastMs = 0
  const step = (nowMs: number) => {
    frame = 0
    if (!at) return
    const area = areaNow()
    const seconds = Math.min(nowMs - lastMs, MAX_FRAME_MS) / 1000
    const speed = {
      left: scrollSpeedOf(at.xPx, area.left, area.right),
      top: scrollSpeedOf(at.yPx, area.top, area.bottom),
    }
    const by = { left: Math.round(speed.left * seconds), top: Math.round(speed.top * seconds) }
    // Frames can be so close together that the scroll distance is less than a pixel.
    const isTooSoon = by.left === 0 && by.top === 0 && (speed.left !== 0 || speed.top !== 0)
    if (!isTooSoon) {
      lastMs = nowMs
      const { scrollLeft, scrollTop } = scroller
      scroller.scrollBy({ ...by, behavior: 'instant' })
      if (scroller.scrollLeft === scrollLeft && scroller.scrollTop === scrollTop) return
      onScrolled()
    }
    frame = requestAnimationFrame(step)
  }
  return {
    moveTo: (next: PointerAt) => {
      at = next
      if (frame === 0) frame = requestAnimationFrame(step)
    },
    stop: () => {
      at = undefined
      cancelAnimationFrame(frame)
    },
  }
}

function scrollSpeedOf(at: number, first: number, last: number): number {
  const beyond = at < first ? at - first : at > last ? at - last : 0
  const { min, perPx, max } = SCROLL_SPEED_PX
  return Math.sign(beyond) * (beyond === 0 ? 0 : Math.min(max, min + Math.abs(beyond) * perPx))
}

/** Suppresses the click event after a drag. */
export function swallowClick(): void {
  const swallow = (event: MouseEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }))
}

type ScrollingDrag = {
  /** Called for each move, and again when the container has scrolled under the pointer. */
  readonly onMove: (at: PointerAt) => void
  readonly onEnd: (isCanceled: boolean) => void
}

type Scrolled = {
  readonly scroller: HTMLElement | null | undefined
  /** Dragging beyond this area scrolls; by default, near the edges. */
  readonly areaNow?: () => DragArea
}

/** Follows a drag that has begun, and scrolls near the edges. */
export function followScrollingDrag(
  pointerId: number | undefined,
  { scroller, areaNow = () => innerArea(scroller) }: Scrolled,
  { onMove, onEnd }: ScrollingDrag,
): void {
  document.getSelection()?.removeAllRanges()
  let last: PointerAt | undefined
  const scroll = scroller && edgeScroll(scroller, areaNow, () => last && onMove(last))
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

function innerArea(scroller: HTMLElement | null | undefined): DragArea {
  const { left, right, top, bottom } = scroller?.getBoundingClientRect() ?? new DOMRect()
  return { left: left + EDGE_PX, right: right - EDGE_PX, top: top + EDGE_PX, bottom: bottom - EDGE_PX }
}

/** In px: a shorter move of the mouse is a click. */
const MIN_DRAG_PX = 4

/** In ms: a touch must rest this long before it drags, because a moving one scrolls. */
const LONG_PRESS_MS = 350

/** In px: a touch that moves farther scrolls. */
const MAX_REST_PX = 8

/** A mouse event has no pointer. */
type Press = Pick<MouseEvent, 'clientX' | 'clientY'> & Partial<Pick<PointerEvent, 'pointerId' | 'pointerType'>>

/** Calls back once a press has become a drag: after a short distance, or for touch after a pause. */
export function whenDragged(press: Press, onDrag: () => void): void {
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
  const onMove = (event: PointerEvent) => {
    if (pointerId !== undefined && event.pointerId !== pointerId) return
    const farPx = Math.hypot(event.clientX - clientX, event.clientY - clientY)
    if (isTouch && farPx > MAX_REST_PX) controller.abort()
    else if (!isTouch && farPx > MIN_DRAG_PX) begin()
  }
  document.addEventListener('pointermove', onMove, { signal })
  // A tap fires mouse events only after the pointer has been lifted.
  for (const end of ['pointerup', 'pointercancel', 'mouseup'])
    document.addEventListener(end, () => controller.abort(), { signal })
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
