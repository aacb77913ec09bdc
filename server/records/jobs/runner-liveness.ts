import { type RunningImport, isAbandoned } from '#domain/imports/abandoned-runner.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'

/** Whether the process of an import is gone; for imports no run of this process owns. */
export async function isRunnerGone(
  { self, clock }: Pick<ImportDeps, 'self' | 'clock'>,
  running: RunningImport,
): Promise<boolean> {
  const { runner } = running
  // This process did not finish it in an earlier run.
  if (runner?.token === self.token) return true
  const isAlive = runner !== null && runner.host === self.host && (await isProcessAlive(runner.processId))
  return isAbandoned(running, { self, isAlive, now: clock() })
}

/** Whether a process with this ID exists on this machine; one of another user cannot be signaled, but exists. */
const isProcessAlive = (processId: number): Promise<boolean> =>
  signal(processId).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'EPERM',
  )

/** Signal 0 only checks for existence and throws if there is none. */
async function signal(processId: number): Promise<void> {
  process.kill(processId, 0)
}
