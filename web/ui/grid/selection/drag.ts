export type Drag = {
  readonly onMove: (at: { readonly xPx: number; readonly yPx: number }) => void
  /** Canceled by Escape, or when the window loses focus. */
  readonly onEnd: (end: { readonly isCanceled: boolean; readonly hasCtrl: boolean }) => void
}

export function followDrag({ onMove, onEnd }: Drag): void {
  const controller = new AbortController()
  const options = { signal: controller.signal, capture: true }
  const end = (isCanceled: boolean, hasCtrl = false) => {
    controller.abort()
    onEnd({ isCanceled, hasCtrl })
  }
  const move = (event: MouseEvent) => {
    // Outside the window the release of a button is not reported.
    if (event.buttons === 0) end(false)
    else onMove({ xPx: event.clientX, yPx: event.clientY })
  }
  document.addEventListener('mousemove', move, options)
  document.addEventListener('mouseup', (event) => end(false, event.ctrlKey || event.metaKey), options)
  // Blur events of elements arrive here as well.
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

/** Scroll speed in px per second at the edge, more for every pixel beyond it, up to a maximum. */
const SCROLL_SPEED_PX = { min: 200, perPx: 16, max: 3000 } as const

/** A late frame does not cause a jump. */
const MAX_FRAME_MS = 50

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
