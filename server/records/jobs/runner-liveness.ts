import { type RunningImport, isAbandoned } from '#domain/imports/abandoned-runner.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'

/** Whether the process of an import is gone; for imports no run of this process owns. */
export async function isRunnerGone(
  { self, clock }: Pick<ImportDeps, 'self' | 'clock'>,
  running: RunningImport,
): Promise<boolean> {
  const { runner } = running
  // This very program could not finish it the last time.
  if (runner?.token === self.token) return true
  const isAlive = runner !== null && runner.host === self.host && (await isProcessAlive(runner.processId))
  return isAbandoned(running, { self, isAlive, now: clock() })
}

/** Whether a process of this number lives on this machine; one of another user's may not be signalled, but lives. */
const isProcessAlive = (processId: number): Promise<boolean> =>
  signal(processId).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'EPERM',
  )

/** Signal 0 only asks; the answer is whether it throws. */
async function signal(processId: number): Promise<void> {
  process.kill(processId, 0)
}
