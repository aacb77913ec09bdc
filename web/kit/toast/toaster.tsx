import { type FocusEvent, useLayoutEffect } from 'react'
import { ToastContainer, type ToastTransitionProps, toast } from 'react-toastify/unstyled'
import { TOASTS } from '#domain/specification.ts'
import { KIT_TEXTS } from '../kit-texts.ts'
import './toaster.css'

/** The share of its own width, in percent, after which a dragged toast is let go. */
const DRAG_PERCENT = 60

const LEAVE_MS = 120

/**
 * Comes by a style of its own and leaves by a short fade. The library's own transitions delay the countdown until
 * they have ended, so that a toast of five seconds would stay for six.
 */
function ToastMotion(props: ToastTransitionProps) {
  const { isIn, nodeRef, preventExitTransition, children } = props
  // Runs once: `playToast` is a new function on every render, and playing again would undo a pause.
  // oxlint-disable-next-line react/exhaustive-deps
  useLayoutEffect(() => props.playToast(), [])

  useLayoutEffect(() => {
    if (isIn) return
    const node = nodeRef.current
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    if (!node || preventExitTransition || isStill) return props.done()
    const fade = node.animate({ opacity: 0 }, { duration: LEAVE_MS, fill: 'forwards' })
    fade.addEventListener('finish', () => props.done())
    // Runs once, when the toast is told to leave: `done` is a new function on every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isIn])

  return children
}

function toastIdOf(event: FocusEvent): string | undefined {
  return event.target.closest('.Toastify__toast')?.id
}

/**
 * The place where `notify` shows its toasts; stands once, at the root of the app. At most 20 are shown, the newest on
 * top, the rest wait; time stands still while a toast is pointed at or focused and while the window is left.
 */
export function Toaster() {
  return (
    <div
      className="toaster"
      onFocus={(event) => {
        const id = toastIdOf(event)
        if (id) toast.pause({ id })
      }}
      onBlur={(event) => {
        const id = toastIdOf(event)
        if (id) toast.play({ id })
      }}
    >
      <ToastContainer
        position="bottom-right"
        limit={TOASTS.mostAtOnce}
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
        aria-label={KIT_TEXTS.toasts.region}
      />
    </div>
  )
}
