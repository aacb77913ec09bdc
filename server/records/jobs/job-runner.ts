import { isAbandoned, type RunningImport } from '#domain/imports/abandoned-runner.ts'
import type { BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import { runInBackground } from './start-job.ts'
import { deleteJobsBefore, lockJob, runningJobs, updateJob } from './store.ts'

/** Whether the process that was running an import is gone; only for imports that aren't running in this process. */
export async function isRunnerGone(
  { self, clock }: Pick<BulkDeps, 'self' | 'clock'>,
  running: RunningImport,
): Promise<boolean> {
  const { runner } = running
  // This process started the import but didn't complete it.
  if (runner?.token === self.token) return true
  const isAlive = runner !== null && runner.host === self.host && (await isProcessAlive(runner.processId))
  return isAbandoned(running, { self, isAlive, now: clock() })
}

/** Whether a process with this ID exists on this machine, even if it belongs to another user and can't be signaled. */
const isProcessAlive = (processId: number): Promise<boolean> =>
  signal(processId).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'EPERM',
  )

/** Signal 0 only checks whether the process exists, and throws if it doesn't. */
async function signal(processId: number): Promise<void> {
  process.kill(processId, 0)
}

/** Interval in ms at which abandoned jobs are resumed; also done at startup. */
const POLL_INTERVAL_MS = 60_000
/** How long a finished job is kept, in ms. */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1000

export type JobRunner = { readonly start: () => Promise<void>; readonly stop: () => Promise<void> }

/** Resumes abandoned jobs, and deletes old finished ones. */
export function createJobRunner(deps: BulkDeps): JobRunner {
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  let isStopping = false
  const look = (): void => {
    looking = looking
      .then(() => resumeJobs(deps, () => isStopping))
      .then(() => deleteOldJobs(deps))
      .then(undefined, (error: unknown) => deps.log.error({ err: error }, 'job runner failed'))
  }
  return {
    start: async () => {
      look()
      timer = setInterval(look, POLL_INTERVAL_MS).unref()
    },
    stop: async () => {
      isStopping = true
      clearInterval(timer)
      await looking
      for (const { stop } of deps.jobs.values()) stop.abort()
      await Promise.all([...deps.jobs.values()].map(({ over }) => over))
    },
  }
}

async function resumeJobs(deps: BulkDeps, isStopping: () => boolean): Promise<void> {
  for (const { id, runner, aliveAt } of await runningJobs(deps.database.read)) {
    if (isStopping() || deps.jobs.has(id) || !(await isRunnerGone(deps, { runner, aliveAt }))) continue
    const isTaken = await deps.database.write(async (transaction) => {
      const held = await lockJob(transaction, id)
      // Another process may have resumed the job.
      if (held?.state !== 'running' || held.runner?.token !== runner?.token) return false
      await updateJob(transaction, held, { runner: deps.self, aliveAt: deps.clock().toISOString() })
      return true
    })
    if (isTaken && !isStopping()) runInBackground(deps, id)
  }
}

async function deleteOldJobs({ database, clock }: BulkDeps): Promise<void> {
  const endedBefore = new Date(clock().getTime() - RETENTION_MS).toISOString()
  await database.write((transaction) => deleteJobsBefore(transaction, endedBefore))
}
