export type TrialRun = {
  /** The long form; otherwise short enough to run with every test. */
  readonly isLong: boolean
  /** The random seed. */
  readonly seed: number
  readonly say: (line: string) => void
}

/** The result of a trial. Omitted values don't apply. */
export type Findings = {
  /** Kills, full disks, outages and clock jumps. */
  readonly faults?: number
  /** Acknowledged operations, each compared with stored data. */
  readonly compared?: number
  /** Those that differ. */
  readonly lost?: number
  readonly inputs?: number
  /** Responses that blame the server, except for 503 with `Retry-After`. */
  readonly serverErrors?: number
  /** Maximum event-loop delay in ms. */
  readonly longestStallMs?: number
  /** The load in words: clients, amount, speed. */
  readonly load?: string
  /** Every violated guarantee, in a sentence with how to reproduce it. */
  readonly broken: readonly string[]
}

/** One attack on the built product in one environment. It starts what it needs and stops it. */
export type Trial = {
  readonly name: string
  /** Database and storage: `SQLite + disk`. */
  readonly environment: string
  /** Why this machine cannot run it, if so. */
  readonly unavailableReason?: () => Promise<string | undefined>
  readonly run: (run: TrialRun) => Promise<Findings>
}
