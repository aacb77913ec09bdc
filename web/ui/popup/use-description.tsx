import { type FocusEvent, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'

const frames = lazyModule(() => import('./popup-frames.tsx'))

/** In ms: how long the pointer must hover over the element. */
const POINTED_MS = 400

/** Describes an element; the text is visible while the element is hovered or has keyboard focus. */
export function useDescription(text: string | undefined, position: 'top-start' | 'bottom-start') {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { DescriptionFrame } = useLazyModule(frames, anchor !== null) ?? {}
  useEffect(() => () => clearTimeout(waiting.current), [])
  if (text === undefined) return {}

  const hide = () => {
    clearTimeout(waiting.current)
    setAnchor(null)
  }
  return {
    described: {
      'aria-description': text,
      onPointerEnter: ({ currentTarget, pointerType }: PointerEvent<HTMLElement>) => {
        if (pointerType === 'mouse') waiting.current = setTimeout(() => setAnchor(currentTarget), POINTED_MS)
      },
      onPointerLeave: hide,
      // Hidden on press, because pressing may open a menu.
      onPointerDown: hide,
      onFocus: ({ currentTarget, target }: FocusEvent<HTMLElement>) => {
        if (target === currentTarget && target.matches(':focus-visible')) setAnchor(currentTarget)
      },
      onBlur: hide,
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === 'Escape') hide()
      },
    },
    tooltip: anchor && DescriptionFrame && (
      <DescriptionFrame anchor={anchor} position={position}>
        {text}
      </DescriptionFrame>
    ),
  }
}
