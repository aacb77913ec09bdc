import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { t } from '#web/i18n/t.ts'

type ResizeHandleProps = {
  readonly label: string
  readonly className: string
  readonly widthPx: number
  readonly minPx: number
  readonly maxPx: number
  /** The edge of the resized element on which the handle is placed. */
  readonly side: 'start' | 'end'
  /** ID of the resized element. */
  readonly controls?: string
  /** Called with undefined to reset the width; `isFinal` is false while dragging. */
  readonly onWidth: (widthPx: number | undefined, isFinal: boolean) => void
}

const STEP_PX = { small: 16, large: 64 } as const

/** Resizes an element by dragging or with the arrow keys; a double-click resets the width. */
export function ResizeHandle({ label, className, side, controls, onWidth, ...width }: ResizeHandleProps) {
  const { widthPx, minPx, maxPx } = width
  const drag = useRef<{ readonly fromX: number; readonly fromPx: number; lastPx: number }>(undefined)
  const within = (px: number) => Math.round(Math.min(Math.max(px, minPx), maxPx))
  /** 1 if moving right increases the width, otherwise -1. */
  const sign = () => ((document.dir === 'rtl') === (side === 'end') ? -1 : 1)
  const onKeyDown = (event: KeyboardEvent) => {
    const stepPx = (event.shiftKey ? STEP_PX.large : STEP_PX.small) * sign()
    const next = new Map([
      ['ArrowRight', widthPx + stepPx],
      ['ArrowLeft', widthPx - stepPx],
      ['Home', minPx],
      ['End', maxPx],
    ]).get(event.key)
    if (next === undefined) return
    event.preventDefault()
    onWidth(within(next), true)
  }
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { fromX: event.clientX, fromPx: widthPx, lastPx: widthPx }
  }
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (!drag.current) return
    drag.current.lastPx = within(drag.current.fromPx + sign() * (clientX - drag.current.fromX))
    onWidth(drag.current.lastPx, false)
  }
  const onLostPointerCapture = () => {
    if (drag.current && drag.current.lastPx !== drag.current.fromPx) onWidth(drag.current.lastPx, true)
    drag.current = undefined
  }
  return (
    // ARIA treats a focusable separator as a widget with a value.
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={controls}
      aria-valuenow={widthPx}
      aria-valuemin={minPx}
      aria-valuemax={maxPx}
      aria-valuetext={t('{widthPx} pixels', { widthPx })}
      className={className}
      onDoubleClick={() => onWidth(undefined, true)}
      {...{ onKeyDown, onPointerDown, onPointerMove, onLostPointerCapture }}
    />
  )
}
