import { type FocusEvent, type KeyboardEvent, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react'
import { ToastContainer, type ToastTransitionProps, toast } from 'react-toastify/unstyled'
import { TOASTS } from '#domain/specification.ts'
import { useStore } from '#web/ui/store.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { shownToasts } from './notify.ts'
import './toaster.css'

export type Span = { readonly top: number; readonly bottom: number }

type Stack = { readonly heightPx: number; readonly windowPx: number; readonly leastPx: number }

const GAP_PX = 8

/** Must match the value in toaster.css. */
const LEAST_PX = 16

/**
 * The distance from the bottom at which toasts cover none of the controls; the minimum if there is no such position.
 */
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

/** Controls in the same column as the toasts. Excludes list cells, which users can reach by keyboard or scrolling. */
function controlsBehind(container: HTMLElement): Span[] {
  const { left, right } = container.getBoundingClientRect()
  return [...document.querySelectorAll<HTMLElement>(CONTROLS)]
    .filter((control) => !control.closest('.toaster, [role="row"], [inert]') && control.checkVisibility())
    .map((control) => control.getBoundingClientRect())
    .filter((rect) => rect.width > 0 && rect.left < right && rect.right > left && rect.top < window.innerHeight)
}

/** Moves toasts above controls that they would cover, including controls added later. */
function useClearPosition(toaster: RefObject<HTMLElement | null>, count: number): void {
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

const DRAG_PERCENT = 60

const LEAVE_MS = 120

/** A custom enter animation, because the library's transitions would delay the countdown by a second. */
function ToastMotion(props: ToastTransitionProps) {
  const { isIn, nodeRef, preventExitTransition, children } = props
  // Runs once, because starting the animation again would cancel a pause.
  const play = useEffectEvent(() => props.playToast())
  useLayoutEffect(() => play(), [])

  const leave = useEffectEvent(() => {
    const node = nodeRef.current
    if (node) passFocusOn(node)
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    if (!node || preventExitTransition || isStill) return props.done()
    const { done } = props
    const fade = node.animate({ opacity: 0 }, { duration: LEAVE_MS, fill: 'forwards' })
    fade.addEventListener('finish', () => done())
  })
  useLayoutEffect(() => {
    if (!isIn) leave()
  }, [isIn])

  return children
}

let before: Element | null = null

/**
 * When a focused toast closes, focus moves to the next toast, the previous toast, or the previously focused element.
 * After a pointer click, it returns to that element directly.
 */
function passFocusOn(leaving: HTMLElement): void {
  const active = document.activeElement
  if (!active || !leaving.contains(active)) return
  const staying = (toast: Element | null): HTMLElement | null =>
    toast instanceof HTMLElement && toast.dataset['in'] === 'true' ? toast : null
  const byKeyboard = active.matches(':focus-visible')
  const next = byKeyboard && (staying(leaving.nextElementSibling) ?? staying(leaving.previousElementSibling))
  if (next) next.focus()
  else if (before instanceof HTMLElement && before.isConnected) before.focus()
  // Not every browser fires an event when a focused element is removed, so blur explicitly to resume the other timers.
  else if (active instanceof HTMLElement) active.blur()
}

const isInside = ({ currentTarget, relatedTarget }: FocusEvent): boolean =>
  relatedTarget instanceof Node && currentTarget.contains(relatedTarget)

function takeFocus(event: FocusEvent): void {
  if (!isInside(event)) before = event.relatedTarget instanceof Element ? event.relatedTarget : null
  toast.pause()
}

function dismissByKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' && event.key !== 'Delete') return
  const id = event.target instanceof Element ? event.target.closest('.Toastify__toast')?.id : undefined
  if (id === undefined) return
  event.stopPropagation()
  toast.dismiss(id)
}

/**
 * Renders the toasts from `notify`; mount it once at the root. Shows at most 20 toasts, newest first. Timers pause
 * while a toast is hovered or focused and while the window is inactive. Alt+T moves focus to the toasts; Escape or
 * Delete closes one.
 */
export function Toaster() {
  const place = useRef<HTMLDivElement>(null)
  const count = useStore(shownToasts, ({ size }) => size)
  useClearPosition(place, count)
  return (
    <div
      ref={place}
      className="toaster"
      onFocus={takeFocus}
      onBlur={(event) => {
        if (!isInside(event)) toast.play()
      }}
      onKeyDown={dismissByKey}
    >
      <ToastContainer
        position="bottom-right"
        limit={TOASTS.maxVisible}
        autoClose={TOASTS.displayMs}
        newestOnTop
        pauseOnHover
        pauseOnFocusLoss
        hideProgressBar
        closeButton={false}
        icon={false}
        draggable
        draggablePercent={DRAG_PERCENT}
        transition={ToastMotion}
        style={{ width: TOASTS.containerWidthPx, maxHeight: `min(${TOASTS.maxHeightPx}px, 100dvh - 32px)` }}
        toastStyle={{ maxHeight: TOASTS.maxHeightPx }}
        aria-label={UI_TEXTS.toasts.region}
      />
    </div>
  )
}
