import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { TABLE } from '#domain/specification.ts'

/** Applies what is typed once the typing rests. */
type DebouncedApply = {
  /** Takes what the box holds now and starts the wait anew. */
  readonly later: (text: string) => void
  /** Applies at once and ends the wait: Enter, a choice from a list, a cleared box. */
  readonly now: (text: string) => void
  /** Applies what still waits, because its box goes away. */
  readonly flush: () => void
  /** Forgets what waits, because somebody else has set the value. */
  readonly cancel: () => void
}

/** One wait of the specification's filter delay. Every box has its own, so that two typed in quickly both count. */
export function createDebouncedApply(apply: (text: string) => void): DebouncedApply {
  let waiting: { text: string; timer: ReturnType<typeof setTimeout> } | undefined

  const cancel = () => {
    clearTimeout(waiting?.timer)
    waiting = undefined
  }
  const now = (text: string) => {
    cancel()
    apply(text)
  }
  return {
    now,
    cancel,
    later: (text) => {
      cancel()
      waiting = { text, timer: setTimeout(() => now(text), TABLE.filterDelayMs) }
    },
    flush: () => {
      if (waiting) now(waiting.text)
    },
  }
}

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
