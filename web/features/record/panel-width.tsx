import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { readStored, removeStored, setStored } from '#web/data/storage/browser-storage.ts'
import './record-panel.css'

const WIDTH_KEY = 'beside.width'

export function usePanelWidth(panel: RefObject<HTMLElement | null>) {
  const [chosenPx, setChosenPx] = useState(() => Number(readStored(WIDTH_KEY)) || undefined)
  const [roomPx, setRoomPx] = useState(0)
  useLayoutEffect(() => {
    const room = panel.current?.parentElement
    if (!room) return undefined
    const measure = () => setRoomPx(room.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(room)
    return () => observer.disconnect()
  }, [panel])
  return {
    ...allowedWidths(roomPx),
    widthPx: panelWidth(chosenPx, roomPx),
    onWidth: (widthPx: number | undefined, isFinal: boolean) => {
      setChosenPx(widthPx)
      if (!isFinal) return
      if (widthPx === undefined) removeStored(WIDTH_KEY)
      else setStored(WIDTH_KEY, String(panelWidth(widthPx, roomPx)))
    },
  }
}

/** Minimum widths in px; the panel fits names and values side by side. */
const MIN_WIDTH_PX = { panel: 340, list: 280 } as const

const DEFAULT_WIDTH_PX = 560
const FIRST_SHARE = 0.46

export function allowedWidths(roomPx: number): { readonly minPx: number; readonly maxPx: number } {
  return { minPx: MIN_WIDTH_PX.panel, maxPx: Math.max(MIN_WIDTH_PX.panel, Math.round(roomPx - MIN_WIDTH_PX.list)) }
}

export function panelWidth(chosenPx: number | undefined, roomPx: number): number {
  const { minPx, maxPx } = allowedWidths(roomPx)
  const wanted = chosenPx ?? Math.min(DEFAULT_WIDTH_PX, roomPx * FIRST_SHARE)
  return Math.round(Math.min(Math.max(wanted, minPx), maxPx))
}

/** Reserves space for the record panel while it loads. */
export function PanelPlaceholder() {
  const room = useRef<HTMLDivElement>(null)
  const { widthPx } = usePanelWidth(room)
  return <div ref={room} className="record-panel" style={{ width: widthPx }} />
}
