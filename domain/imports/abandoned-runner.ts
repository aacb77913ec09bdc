/** `token` is new for each process start. */
export type Runner = { readonly host: string; readonly processId: number; readonly token: string }

export type RunningImport = { readonly runner: Runner | null; readonly aliveAt: string }

/** Identifies a process and its machine. */
export type RunnerObserver = {
  readonly self: Runner
  /** Whether a process with the runner's process ID exists on this machine. */
  readonly isAlive: boolean
  readonly now: Date
}

/**
 * Time in ms without a heartbeat after which an import on another machine is considered abandoned. Batches take
 * milliseconds; two minutes allow for system sleep and database outages.
 */
const RUNNER_TIMEOUT_MS = 2 * 60 * 1000

/** Whether the process that ran an import is gone, so that its rows must be removed. */
export function isAbandoned({ runner, aliveAt }: RunningImport, { self, isAlive, now }: RunnerObserver): boolean {
  if (!runner) return true
  if (runner.token === self.token) return false
  // An earlier process on this machine may have had the same process ID.
  if (runner.host === self.host && (runner.processId === self.processId || !isAlive)) return true
  // A heartbeat in the future means that the clock was set back.
  return Math.abs(now.getTime() - Date.parse(aliveAt)) > RUNNER_TIMEOUT_MS
}
