import { type RefObject, useLayoutEffect, useState } from 'react'

export function useElementSize(ref: RefObject<HTMLElement | null>): { widthPx: number; heightPx: number } {
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 })
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const measure = () => {
      const next = { widthPx: element.clientWidth, heightPx: element.clientHeight }
      setSize((before) => (before.widthPx === next.widthPx && before.heightPx === next.heightPx ? before : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return size
}
