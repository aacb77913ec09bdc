import { useCallback, useEffect, useReducer, useRef } from 'react'

/**
 * What to call when a list opens. A list that is drawn only then names itself after its input was drawn, so that the input
 * must be drawn once more to tell screen readers that it is open, and which list is its. That draws every option again,
 * so it comes behind the list's first picture.
 */
export function useAnnounceOpen(): () => void {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  const frame = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current)
      clearTimeout(timer.current)
    },
    [],
  )
  return useCallback(() => {
    frame.current = requestAnimationFrame(() => {
      timer.current = setTimeout(drawAgain)
    })
  }, [])
}
