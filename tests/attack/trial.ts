export type TrialRun = {
  /** Long enough to be believed; else short enough to run with every test. */
  readonly isLong: boolean
  /** Where the drawing begins; the same number does the same again. */
  readonly seed: number
  readonly say: (line: string) => void
}

/** What came of a trial. What it says nothing of is none of its business. */
export type Findings = {
  /** Kills, full disks, databases and stores that went away, jumps of the clock. */
  readonly faults?: number
  /** Operations the server had acknowledged, each compared with what is stored. */
  readonly compared?: number
  /** Those of them that are not as they were acknowledged. */
  readonly lost?: number
  readonly inputs?: number
  /** Answers that blame the server, other than a told 503. */
  readonly serverErrors?: number
  /** How long the event loop of a server stood still at most, in ms. */
  readonly longestStallMs?: number
  /** The load that was held, in words: how many clients, how much, how fast. */
  readonly load?: string
  /** Every promise that was broken, in a sentence with what shows it again; nothing is lost without being told here. */
  readonly broken: readonly string[]
}

/** One attack on the built product, on one environment. It starts what it needs and ends it. */
export type Trial = {
  readonly name: string
  /** Where records and files are: `SQLite + disk`. */
  readonly environment: string
  /** Why this machine cannot run it, if so. */
  readonly whyNot?: () => Promise<string | undefined>
  readonly run: (run: TrialRun) => Promise<Findings>
}
