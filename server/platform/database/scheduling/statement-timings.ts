export type StatementTimings = {
  readonly remember: (statement: string, tookMs: number) => void
  readonly usualMs: (statement: string) => number
  readonly isKnown: (statement: string) => boolean
  readonly isHeavy: (statement: string) => boolean
}

/** Threshold in ms from which a statement counts as heavy: above any page or point read, below any scan. */
const HEAVY_THRESHOLD_MS = 8

/** Maximum number of statements; the least recently used one is evicted. */
const MAX_REMEMBERED = 2000

export function createStatementTimings(): StatementTimings {
  const usualMs = new Map<string, number>()

  function remember(statement: string, tookMs: number): void {
    // Half of the old value is kept, so that one slow moment is soon forgotten.
    const known = usualMs.get(statement)
    usualMs.delete(statement)
    usualMs.set(statement, known === undefined ? tookMs : (known + tookMs) / 2)
    const [oldest] = usualMs.size > MAX_REMEMBERED ? usualMs.keys() : []
    if (oldest !== undefined) usualMs.delete(oldest)
  }

  const usual = (statement: string): number => usualMs.get(statement) ?? 0
  return {
    remember,
    usualMs: usual,
    isKnown: (statement) => usualMs.has(statement),
    isHeavy: (statement) => usual(statement) >= HEAVY_THRESHOLD_MS,
  }
}
