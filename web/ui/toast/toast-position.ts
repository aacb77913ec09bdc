import { type RefObject, useLayoutEffect } from 'react'

export type Span = { readonly top: number; readonly bottom: number }

type Stack = { readonly heightPx: number; readonly windowPx: number; readonly leastPx: number }

const GAP_PX = 8

/** As in toaster.css. */
const LEAST_PX = 16

/** The distance from the bottom at which toasts cover none of these controls; the least if there is no such place. */
export function bottomOffset(controls: readonly Span[], { heightPx, windowPx, leastPx }: Stack): number {
  let bottom = windowPx - leastPx
  for (;;) {
    const top = bottom - heightPx
    if (top < 0) return leastPx
    const covered = controls.filter((control) => control.bottom > top && control.top < bottom)
    if (covered.length === 0) return windowPx - bottom
    bottom = Math.min(...covered.map((control) => control.top)) - GAP_PX
  }
}

const CONTROLS = 'button, input, select, textarea, summary, [role="button"], [role="switch"], .mantine-Button-root'

/** Controls of the page in the same column as the toasts; cells of lists have keys and other rows. */
function controlsBehind(container: HTMLElement): Span[] {
  const { left, right } = container.getBoundingClientRect()
  return [...document.querySelectorAll<HTMLElement>(CONTROLS)]
    .filter((control) => !control.closest('.toaster, [role="row"], [inert]') && control.checkVisibility())
    .map((control) => control.getBoundingClientRect())
    .filter((rect) => rect.width > 0 && rect.left < right && rect.right > left && rect.top < window.innerHeight)
}

/** Lifts the toasts above the controls they would cover, also those that appear later. */
export function useClearPosition(toaster: RefObject<HTMLElement | null>, count: number): void {
  useLayoutEffect(() => {
    if (count === 0) return undefined
    let frame = 0
    const place = () => {
      const stack = toaster.current?.querySelector<HTMLElement>('.Toastify__toast-container')
      const first = stack?.firstElementChild
      if (!stack || !first) return
      const heightPx = stack.getBoundingClientRect().height
      const lift = bottomOffset(controlsBehind(stack), { heightPx, windowPx: window.innerHeight, leastPx: LEAST_PX })
      stack.style.setProperty('--toast-bottom', `${lift}px`)
    }
    const later = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(place)
    }
    const observer = new MutationObserver(later)
    observer.observe(document.body, { childList: true, subtree: true })
    window.addEventListener('resize', later)
    later()
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      window.removeEventListener('resize', later)
    }
  }, [toaster, count])
}
