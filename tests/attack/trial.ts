export type TrialRun = {
  /** Whether this is the long run; the short run is fast enough to run with every test. */
  readonly isLong: boolean
  readonly seed: number
  readonly say: (line: string) => void
}

/** The result of a trial. Omitted values don't apply. */
export type Findings = {
  /** Number of kills, full disks, outages and clock jumps. */
  readonly faults?: number
  /** Number of acknowledged operations that were compared with stored data. */
  readonly compared?: number
  /** Number of operations whose stored data differs. */
  readonly lost?: number
  readonly inputs?: number
  /** Server-error responses, except for 503 with `Retry-After`. */
  readonly serverErrors?: number
  /** Maximum event-loop delay in ms. */
  readonly longestStallMs?: number
  /** A description of the load: number of clients, amount and speed. */
  readonly load?: string
  /** Every violated guarantee, in one sentence that says how to reproduce it. */
  readonly broken: readonly string[]
}

/** One attack on the built product in one environment. Starts and stops everything it needs. */
export type Trial = {
  readonly name: string
  /** Database and storage: `SQLite + disk`. */
  readonly environment: string
  /** The reason this machine can't run it, if any. */
  readonly unavailableReason?: () => Promise<string | undefined>
  readonly run: (run: TrialRun) => Promise<Findings>
}
