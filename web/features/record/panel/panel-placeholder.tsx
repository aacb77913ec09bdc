import { useRef } from 'react'
import { usePanelWidth } from './use-panel-width.ts'
import './record-panel.css'

/** Reserves space for the record panel while it loads. */
export function PanelPlaceholder() {
  const room = useRef<HTMLDivElement>(null)
  const { widthPx } = usePanelWidth(room)
  return <div ref={room} className="record-panel" style={{ width: widthPx }} />
}
