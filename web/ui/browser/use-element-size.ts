import { type RefObject, useLayoutEffect, useState } from 'react'

type ElementSize = {
  readonly widthPx: number
  readonly heightPx: number
  /** Includes the scrollbar. */
  readonly outerPx: number
}

export function useElementSize(ref: RefObject<HTMLElement | null>): ElementSize {
  const [size, setSize] = useState<ElementSize>({ widthPx: 0, heightPx: 0, outerPx: 0 })
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const measure = () => {
      const { clientWidth: widthPx, clientHeight: heightPx, offsetWidth: outerPx } = element
      setSize((before) =>
        before.outerPx === outerPx && before.widthPx === widthPx && before.heightPx === heightPx
          ? before
          : { widthPx, heightPx, outerPx },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return size
}
