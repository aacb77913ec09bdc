import { createLruMap } from '#server/platform/lru-map.ts'

export type StatementTimings = {
  readonly remember: (statement: string, tookMs: number) => void
  readonly usualMs: (statement: string) => number
  readonly isKnown: (statement: string) => boolean
  readonly isHeavy: (statement: string) => boolean
}

/** Statements that take at least this many ms count as heavy: more than any page or point read, less than any scan. */
const HEAVY_THRESHOLD_MS = 8

const MAX_REMEMBERED = 2000

export function createStatementTimings(): StatementTimings {
  const timings = createLruMap<number>(MAX_REMEMBERED)
  const usual = (statement: string): number => timings.peek(statement) ?? 0
  return {
    remember: (statement, tookMs) => {
      // Averages with the previous value, so that a single slow run has little effect.
      timings.set(statement, ((timings.peek(statement) ?? tookMs) + tookMs) / 2)
    },
    usualMs: usual,
    isKnown: (statement) => timings.peek(statement) !== undefined,
    isHeavy: (statement) => usual(statement) >= HEAVY_THRESHOLD_MS,
  }
}
