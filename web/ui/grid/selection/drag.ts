/** A drag from a press to its end, with the button held; the pointer may leave the grid and the window. */
export type Drag = {
  readonly onMove: (at: { readonly xPx: number; readonly yPx: number }) => void
  /** Called off by Escape, or when the window loses the focus. */
  readonly onEnd: (end: { readonly isCalledOff: boolean; readonly hasCtrl: boolean }) => void
}

/** Follows the pointer until the button is let go. */
export function followDrag({ onMove, onEnd }: Drag): void {
  const listening = new AbortController()
  const options = { signal: listening.signal, capture: true }
  const end = (isCalledOff: boolean, hasCtrl = false) => {
    listening.abort()
    onEnd({ isCalledOff, hasCtrl })
  }
  const move = (event: MouseEvent) => {
    // Outside the window nobody hears of a button that is let go.
    if (event.buttons === 0) end(false)
    else onMove({ xPx: event.clientX, yPx: event.clientY })
  }
  document.addEventListener('mousemove', move, options)
  document.addEventListener('mouseup', (event) => end(false, event.ctrlKey || event.metaKey), options)
  // Elements that lose the focus are heard of here as well.
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

/** The part of a scroller in which a drag looks for cells. */
export type DragArea = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Pixels a second at the very edge, more for every pixel beyond it, and never more than can be followed. */
const SCROLL_SPEED_PX = { least: 200, more: 16, most: 3000 } as const

/** A frame that came late does not make up for it by a leap. */
const MAX_FRAME_MS = 50

/** Scrolls for as long as the pointer is beyond an edge, and says so after every step. */
export function edgeScroll(scroller: HTMLElement, areaNow: () => DragArea, onScrolled: () => void) {
  let at: { readonly xPx: number; readonly yPx: number } | undefined
  let frame = 0
  let lastMs = 0
  const step = (nowMs: number) => {
    const seconds = Math.min(nowMs - lastMs, MAX_FRAME_MS) / 1000
    frame = 0
    lastMs = nowMs
    if (!at) return
    const area = areaNow()
    const { scrollLeft, scrollTop } = scroller
    scroller.scrollLeft += Math.round(scrollSpeedOf(at.xPx, area.left, area.right) * seconds)
    scroller.scrollTop += Math.round(scrollSpeedOf(at.yPx, area.top, area.bottom) * seconds)
    if (scroller.scrollLeft === scrollLeft && scroller.scrollTop === scrollTop) return
    onScrolled()
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
  const { least, more, most } = SCROLL_SPEED_PX
  return Math.sign(beyond) * (beyond === 0 ? 0 : Math.min(most, least + Math.abs(beyond) * more))
}

/** Keeps the click that ends a drag from being taken for one. */
export function swallowClick(): void {
  const swallow = (event: MouseEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }))
}
