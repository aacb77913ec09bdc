import { type RefObject, useLayoutEffect, useState } from 'react'
import { removeStored, setStored, readStored } from '#web/data/storage/browser-storage.ts'
import { panelWidth } from './panel-width.ts'

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
    roomPx,
    widthPx: panelWidth(chosenPx, roomPx),
    onWidth: (widthPx: number | undefined, isFinal: boolean) => {
      setChosenPx(widthPx)
      if (!isFinal) return
      if (widthPx === undefined) removeStored(WIDTH_KEY)
      else setStored(WIDTH_KEY, String(panelWidth(widthPx, roomPx)))
    },
  }
}
