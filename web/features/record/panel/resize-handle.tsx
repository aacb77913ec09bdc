import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react'
import { t } from '#web/i18n/t.ts'
import { WIDTH_STEP_PX, allowedWidths } from './use-panel-width.ts'

type ResizeHandleProps = {
  readonly widthPx: number
  readonly roomPx: number
  readonly panelId: string
  readonly onWidth: (widthPx: number | undefined, isFinal: boolean) => void
}

/** Drag or arrow keys resize; a double click resets. */
export function ResizeHandle({ widthPx, roomPx, panelId, onWidth }: ResizeHandleProps) {
  const { leastPx, mostPx } = allowedWidths(roomPx)
  const drag = useDrag(onWidth, widthPx)
  const set = (next: number) => onWidth(Math.min(Math.max(next, leastPx), mostPx), true)
  const onKeyDown = (event: KeyboardEvent) => {
    const stepPx = event.shiftKey ? WIDTH_STEP_PX.large : WIDTH_STEP_PX.small
    const wider = document.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    const narrower = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const next = new Map([
      [wider, widthPx + stepPx],
      [narrower, widthPx - stepPx],
      ['Home', leastPx],
      ['End', mostPx],
    ]).get(event.key)
    if (next === undefined) return
    event.preventDefault()
    set(next)
  }
  return (
    // A focusable separator is a widget with a value.
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('Side panel width')}
      aria-controls={panelId}
      aria-valuenow={widthPx}
      aria-valuemin={leastPx}
      aria-valuemax={mostPx}
      aria-valuetext={t('{widthPx} pixels', { widthPx })}
      className="panel-grip"
      onKeyDown={onKeyDown}
      onDoubleClick={() => onWidth(undefined, true)}
      {...drag}
    />
  )
}

type Drag = { readonly fromX: number; readonly fromPx: number; lastPx: number }

function useDrag(onWidth: ResizeHandleProps['onWidth'], widthPx: number) {
  const drag: RefObject<Drag | undefined> = useRef(undefined)
  const end = () => {
    if (drag.current && drag.current.lastPx !== drag.current.fromPx) onWidth(drag.current.lastPx, true)
    drag.current = undefined
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      drag.current = { fromX: event.clientX, fromPx: widthPx, lastPx: widthPx }
    },
    onPointerMove: (event: PointerEvent) => {
      if (!drag.current) return
      const sign = document.dir === 'rtl' ? 1 : -1
      drag.current.lastPx = Math.round(drag.current.fromPx + sign * (event.clientX - drag.current.fromX))
      onWidth(drag.current.lastPx, false)
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
