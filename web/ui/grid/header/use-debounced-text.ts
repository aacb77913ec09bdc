import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createDebouncedApply } from './debounced-apply.ts'

/** A text box whose value is applied when the typing rests, or at once on Enter. */
export type DebouncedText = {
  readonly text: string
  readonly onType: (text: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly applyNow: (text: string) => void
}

/** Holds what is typed while `value` is what was last applied; a value set from outside replaces the typing. */
export function useDebouncedText(value: string, onApply: (text: string) => void): DebouncedText {
  const [typed, setTyped] = useState(value)
  const latestApply = useRef(onApply)
  const applied = useRef(value)
  const [delayed] = useState(() =>
    createDebouncedApply((text) => {
      if (text === applied.current) return
      applied.current = text
      latestApply.current(text)
    }),
  )
  useLayoutEffect(() => {
    latestApply.current = onApply
  })
  useLayoutEffect(() => {
    // An answer to our own typing may come back late, when more has been typed: only another's value counts.
    if (value === applied.current) return
    applied.current = value
    delayed.cancel()
    setTyped(value)
  }, [value, delayed])
  useEffect(() => () => delayed.flush(), [delayed])

  return {
    text: typed,
    onType: (text) => {
      setTyped(text)
      delayed.later(text)
    },
    onKeyDown: (event) => {
      if (event.key === 'Enter') delayed.now(typed)
    },
    applyNow: (text) => {
      setTyped(text)
      delayed.now(text)
    },
  }
}
