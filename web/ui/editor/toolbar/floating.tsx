import { type CSSProperties, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Room between what floats and the words it is about, and between it and the edges. */
const GAP_PX = 6

type FloatingProps = {
  /** Where the words stand in the window; asked again when another function is given. */
  readonly place: () => DOMRect | null
  readonly side: 'above' | 'below'
  readonly children: (props: {
    readonly ref: RefObject<HTMLDivElement | null>
    readonly style: CSSProperties
  }) => ReactNode
}

/**
 * Stands something beside words of the editor, within its frame: on the side asked for, or the other one where the
 * window has no room. It is part of the frame, and moves with it when the page is scrolled.
 */
export function Floating({ place, side, children }: FloatingProps) {
  const ref = useRef<HTMLDivElement>(null)
  const [style, setStyle] = useState<CSSProperties>({ visibility: 'hidden' })

  useLayoutEffect(() => {
    const next = styleOf(ref.current, place(), side)
    setStyle((now) => (now.top === next.top && now.left === next.left ? now : next))
  }, [place, side])
  return children({ ref, style })
}

function styleOf(element: HTMLElement | null, words: DOMRect | null, side: 'above' | 'below'): CSSProperties {
  const frame = element?.offsetParent?.getBoundingClientRect()
  if (!element || !frame || !words) return { visibility: 'hidden' }
  const { offsetWidth: width, offsetHeight: height } = element
  const above = words.top - height - GAP_PX
  const below = words.bottom + GAP_PX
  const hasRoomBelow = below + height < window.innerHeight
  const isAbove = side === 'above' ? above > 0 : !hasRoomBelow && above > 0
  const left = Math.min(words.left, frame.right - width - GAP_PX)
  return { top: (isAbove ? above : below) - frame.top, left: Math.max(left - frame.left, GAP_PX) }
}
