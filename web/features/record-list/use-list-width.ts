import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Below this many pixels a list is one of cards, and a record lies over it instead of beside it. */
const NARROW_BELOW_PX = 640

/** How much room a list has: `unknown` before it was measured, which is before anything is seen. */
export type ListWidth = 'unknown' | 'narrow' | 'wide'

/** The room of a list and of what is beside it, taken together. */
export function useListWidth(): { readonly roomRef: RefObject<HTMLDivElement | null>; readonly room: ListWidth } {
  const roomRef = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<ListWidth>('unknown')
  useLayoutEffect(() => {
    const place = roomRef.current
    if (!place) return undefined
    const measure = () => setRoom(place.clientWidth < NARROW_BELOW_PX ? 'narrow' : 'wide')
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(place)
    return () => observer.disconnect()
  }, [])
  return { roomRef, room }
}
