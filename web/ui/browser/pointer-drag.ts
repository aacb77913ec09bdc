type Drag = {
  readonly onMove: (at: { readonly xPx: number; readonly yPx: number }) => void
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
  let at: { readonly xPx: number; readonly yPx: number } | undefined
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
    moveTo: (next: { readonly xPx: number; readonly yPx: number }) => {
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
