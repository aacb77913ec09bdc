import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { ToastContainer, type ToastTransitionProps, toast } from 'react-toastify/unstyled'
import { TOASTS } from '#domain/specification.ts'
import { useStore } from '#web/ui/store.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { shownToasts } from './notify.ts'
import { useClearPosition } from './toast-position.ts'
import './toaster.css'

const DRAG_PERCENT = 60

const LEAVE_MS = 120

/** Its own enter animation: the library's transitions would delay the countdown by a second. */
function ToastMotion(props: ToastTransitionProps) {
  const { isIn, nodeRef, preventExitTransition, children } = props
  // Runs once: `playToast` is a new function on every render, and playing again would undo a pause.
  // oxlint-disable-next-line react/exhaustive-deps
  useLayoutEffect(() => props.playToast(), [])

  useLayoutEffect(() => {
    if (isIn) return
    const node = nodeRef.current
    if (node) passFocusOn(node)
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    if (!node || preventExitTransition || isStill) return props.done()
    const fade = node.animate({ opacity: 0 }, { duration: LEAVE_MS, fill: 'forwards' })
    fade.addEventListener('finish', () => props.done())
    // Runs once, when the toast is dismissed: `done` is a new function on every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isIn])

  return children
}

let before: Element | null = null

/**
 * A toast that closes with focus passes it to the next one, else to the previous one, else back to the element
 * before. After a pointer click focus returns at once.
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
  // Not every browser fires an event when the focused element is removed; the other timers continue anyway.
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
 * Renders the toasts of `notify`; mount it once at the root. At most 20 are shown, newest first. Timers pause while a
 * toast is hovered or focused and while the window is inactive. Alt+T moves focus to the toasts; Escape or Delete
 * closes one.
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
