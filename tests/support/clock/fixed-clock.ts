import type { Clock } from '#domain/shared/time.ts'

/** A clock that advances only when a test moves it. */
export type FixedClock = {
  readonly now: Clock
  /** Advances the clock by this many ms. */
  readonly move: (ms: number) => void
  readonly set: (at: string | Date) => void
}

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
