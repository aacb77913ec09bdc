import type { Clock } from '#domain/shared/time.ts'

/** A clock that stands still until it is moved. */
export type FixedClock = {
  readonly now: Clock
  /** Moves it on by so many ms. */
  readonly move: (ms: number) => void
  /** Sets it to an instant. */
  readonly set: (at: string | Date) => void
}

/** A clock that shows the given instant. */
export function fixedClock(at: string | Date = '2026-11-20T09:00:00.000Z'): FixedClock {
  let ms = new Date(at).getTime()
  return {
    now: () => new Date(ms),
    move: (by) => {
      ms += by
    },
    set: (to) => {
      ms = new Date(to).getTime()
    },
  }
}
