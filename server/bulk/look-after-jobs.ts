import { isLeftBehind } from '#server/imports/left-behind.ts'
import { carryOut } from './begin-job.ts'
import type { BulkNeeds } from './bulk-needs.ts'
import { changeJob, forgetJobs, holdJob, runningJobs } from './store.ts'

/** How often jobs of programs that ended are looked for, in ms; at the start of this one they are, too. */
const LOOK_EVERY_MS = 60_000
/** How long a job that is over can be asked for, in ms. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** What runs beside the requests for jobs. */
export type JobKeeper = { readonly start: () => Promise<void>; readonly stop: () => Promise<void> }

/** Takes up jobs that nobody works on any more, and forgets those that are long over. */
export function jobKeeper(needs: BulkNeeds): JobKeeper {
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  let isStopping = false
  const look = (): void => {
    looking = looking
      .then(() => takeUp(needs, () => isStopping))
      .then(() => forget(needs))
      .then(undefined, (error: unknown) => needs.log.error({ err: error }, 'jobs could not be looked after'))
  }
  return {
    start: async () => {
      look()
      timer = setInterval(look, LOOK_EVERY_MS).unref()
    },
    stop: async () => {
      isStopping = true
      clearInterval(timer)
      await looking
      for (const { stop } of needs.jobs.values()) stop.abort()
      await Promise.all([...needs.jobs.values()].map(({ over }) => over))
    },
  }
}

async function takeUp(needs: BulkNeeds, isStopping: () => boolean): Promise<void> {
  for (const { id, runner, aliveAt } of await runningJobs(needs.database.read)) {
    if (isStopping() || needs.jobs.has(id) || !(await isLeftBehind(needs, { runner, aliveAt }))) continue
    const isTaken = await needs.database.write(async (transaction) => {
      const held = await holdJob(transaction, id)
      // Another program may have come first.
      if (held?.state !== 'running' || held.runner?.token !== runner?.token) return false
      await changeJob(transaction, held, { runner: needs.self, aliveAt: needs.clock().toISOString() })
      return true
    })
    if (isTaken && !isStopping()) carryOut(needs, id)
  }
}

async function forget({ database, clock }: BulkNeeds): Promise<void> {
  const endedBefore = new Date(clock().getTime() - KEPT_MS).toISOString()
  await database.write((transaction) => forgetJobs(transaction, endedBefore))
}
