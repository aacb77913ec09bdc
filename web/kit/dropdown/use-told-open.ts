import { useCallback, useEffect, useReducer, useRef } from 'react'

/**
 * What to call when a list opens. A list that is drawn only then names itself after its input was drawn, so that the input
 * must be drawn once more to tell screen readers that it is open, and which list is its.
 */
export function useToldOpen(): () => void {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(() => {
    timer.current = setTimeout(drawAgain)
  }, [])
}
