import { TABLE } from '#domain/specification.ts'

/** Applies what is typed once the typing rests. */
export type DebouncedApply = {
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
