import { createLruMap } from '#server/platform/lru-map.ts'

export type StatementTimings = {
  readonly remember: (statement: string, tookMs: number) => void
  readonly usualMs: (statement: string) => number
  readonly isKnown: (statement: string) => boolean
  readonly isHeavy: (statement: string) => boolean
}

/** Threshold in ms from which a statement counts as heavy: above any page or point read, below any scan. */
const HEAVY_THRESHOLD_MS = 8

const MAX_REMEMBERED = 2000

export function createStatementTimings(): StatementTimings {
  const timings = createLruMap<number>(MAX_REMEMBERED)
  const usual = (statement: string): number => timings.peek(statement) ?? 0
  return {
    remember: (statement, tookMs) => {
      // Half of the old value is kept, so that a single slow moment has no lasting effect.
      timings.set(statement, ((timings.peek(statement) ?? tookMs) + tookMs) / 2)
    },
    usualMs: usual,
    isKnown: (statement) => timings.peek(statement) !== undefined,
    isHeavy: (statement) => usual(statement) >= HEAVY_THRESHOLD_MS,
  }
}
