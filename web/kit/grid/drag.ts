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
  window.addEventListener('blur', () => end(true), options)
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

/** Scrolls this many pixels a frame for every pixel the pointer is beyond the edge. */
const PACE = 0.25
const MOST_PX_A_FRAME = 40

/** Scrolls for as long as the pointer is beyond an edge, and says so after every step. */
export function edgeScroll(scroller: HTMLElement, areaNow: () => DragArea, onScrolled: () => void) {
  let at: { readonly xPx: number; readonly yPx: number } | undefined
  let frame = 0
  const step = () => {
    frame = 0
    if (!at) return
    const area = areaNow()
    const { scrollLeft, scrollTop } = scroller
    scroller.scrollLeft += paceOf(at.xPx, area.left, area.right)
    scroller.scrollTop += paceOf(at.yPx, area.top, area.bottom)
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

function paceOf(at: number, first: number, last: number): number {
  const beyond = at < first ? at - first : at > last ? at - last : 0
  return Math.sign(beyond) * Math.min(MOST_PX_A_FRAME, Math.ceil(Math.abs(beyond) * PACE))
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
