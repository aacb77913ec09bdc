import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { openImage, type ImageControls } from './image-engine.ts'

type ImageStageProps = {
  readonly src: string
  readonly alt: string
  /** What can be done with the picture, for buttons and keys that stand elsewhere; null while there is none. */
  readonly handsRef: RefObject<ImageControls | null>
  readonly onShown: () => void
  readonly onFailed: () => void
  readonly onRatio: (ratio: number) => void
  /** A finger swept over a picture that fits: to what is before it, or behind. */
  readonly onSwipe: (to: 'left' | 'right') => void
}

/** How far a finger goes to the side before it is a sweep, in pixels. */
const SWIPE_PX = 56

/** Draws one picture: wheel and two fingers zoom, dragging moves, a double press shows it as large as it is. */
export function ImageStage({ src, alt, handsRef, ...told }: ImageStageProps) {
  const hostRef = useRef<HTMLDivElement>(null)
  const shown = useEffectEvent(told.onShown)
  const failed = useEffectEvent(told.onFailed)
  const ratio = useEffectEvent(told.onRatio)
  useEffect(() => {
    const host = hostRef.current
    if (!host) return undefined
    const hands = openImage(host, {
      src,
      alt,
      onShown: () => shown(),
      onFailed: () => failed(),
      onRatio: (now) => ratio(now),
    })
    handsRef.current = hands
    return () => {
      if (handsRef.current === hands) handsRef.current = null
      hands.end()
    }
  }, [src, alt, handsRef])
  return <div className="picture-stage" ref={hostRef} {...useSwipe(handsRef, told.onSwipe)} />
}

/** One finger, from where it came down to where it goes up, over a picture that is not larger than its place. */
function useSwipe(handsRef: RefObject<ImageControls | null>, onSwipe: ImageStageProps['onSwipe']) {
  const start = useRef<{ readonly id: number; readonly x: number; readonly y: number } | null>(null)
  return {
    onPointerDown: ({ pointerId, pointerType, isPrimary, clientX, clientY }: ReactPointerEvent) => {
      const isSweep = pointerType === 'touch' && isPrimary && handsRef.current?.isFitting() === true
      start.current = isSweep ? { id: pointerId, x: clientX, y: clientY } : null
    },
    onPointerUp: ({ pointerId, clientX, clientY }: ReactPointerEvent) => {
      const begun = start.current
      start.current = null
      if (begun?.id !== pointerId) return
      const [x, y] = [clientX - begun.x, clientY - begun.y]
      if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 'left' : 'right')
      else handsRef.current?.fit()
    },
  }
}
