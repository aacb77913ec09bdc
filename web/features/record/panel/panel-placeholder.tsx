import { useRef } from 'react'
import { usePanelWidth } from './use-panel-width.ts'
import './record-panel.css'

/** Keeps the room of a record that opens with its list, until the part that shows it is there. */
export function PanelPlaceholder() {
  const room = useRef<HTMLDivElement>(null)
  const { widthPx } = usePanelWidth(room)
  return <div ref={room} className="record-panel" style={{ width: widthPx }} />
}
