/** Remembers of each statement how long it took, to tell the heavy ones from the light. */
export type StatementTimings = {
  readonly remember: (statement: string, tookMs: number) => void
  /** How long it usually takes; 0 where it was never seen. */
  readonly usualMs: (statement: string) => number
  readonly isKnown: (statement: string) => boolean
  readonly isHeavy: (statement: string) => boolean
}

/** From here on a statement counts as heavy, in ms: well above any page or point read, well below any scan. */
const HEAVY_THRESHOLD_MS = 8

/** How many statements are remembered; the one unused for longest is forgotten first. */
const MAX_REMEMBERED = 2000

/** A memory of nothing: what was never seen counts as light. */
export function createStatementTimings(): StatementTimings {
  const usualMs = new Map<string, number>()

  function remember(statement: string, tookMs: number): void {
    // Half of the old figure is kept, so that one slow moment of the machine is soon forgotten.
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
