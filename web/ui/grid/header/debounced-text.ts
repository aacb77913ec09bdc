import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { TABLE } from '#domain/specification.ts'

type DebouncedApply = {
  readonly later: (text: string) => void
  /** Applies at once and cancels the delay: Enter, an option from a list, a cleared input. */
  readonly now: (text: string) => void
  readonly flush: () => void
  readonly cancel: () => void
}

/** The specification's filter delay. Every input has its own, so that two changed in quick succession both count. */
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

export type DebouncedText = {
  readonly text: string
  readonly onType: (text: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly applyNow: (text: string) => void
}

/** Keeps the typed text while `value` is the last applied one; a value set from outside replaces it. */
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
    // The result of our own change can arrive late, when more was typed: only other values count.
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
