/** The process that runs an import. `token` is new at every start of a process. */
export type Runner = { readonly host: string; readonly processId: number; readonly token: string }

/** What is known of an import that is under way. */
export type RunningImport = { readonly runner: Runner | null; readonly aliveAt: string }

/** What a process that cleans up abandoned imports knows of itself and its machine. */
export type RunnerObserver = {
  readonly self: Runner
  /** Whether a process of the runner's number lives on this machine. */
  readonly isAlive: boolean
  readonly now: Date
}

/**
 * How long an import may be silent before its program counts as dead, in ms, where that cannot be seen. A batch takes
 * milliseconds; two minutes leave room for a machine that was asleep or a database that was away.
 */
const RUNNER_TIMEOUT_MS = 2 * 60 * 1000

/** Whether the process of an import is gone, so that its rows must be removed. */
export function isAbandoned({ runner, aliveAt }: RunningImport, { self, isAlive, now }: RunnerObserver): boolean {
  if (!runner) return true
  if (runner.token === self.token) return false
  // A program of our own number on our own machine lived before us.
  if (runner.host === self.host && (runner.processId === self.processId || !isAlive)) return true
  // A sign of life that lies ahead was given before the clock was set back.
  return Math.abs(now.getTime() - Date.parse(aliveAt)) > RUNNER_TIMEOUT_MS
}
