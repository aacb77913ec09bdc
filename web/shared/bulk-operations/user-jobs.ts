import { queryOptions } from '@tanstack/react-query'
import { type JobBody, listJobs } from '#api/bulk.ts'
import { removeStored, setStored, readStored } from '#web/data/storage/browser-storage.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'

/** How often jobs are asked how far they are, in ms. */
const POLL_INTERVAL_MS = 1000

/** Kept from the first job on that this browser begins until all of them are over and seen: others need not ask. */
const STARTED_KEY = 'jobs-begun'

/** Whether there may be jobs that were begun here. */
export const mayHaveRunningJobs = (): boolean => readStored(STARTED_KEY) !== null

/** A job was begun: it is found again after a reload. */
export const rememberStarted = (): void => setStored(STARTED_KEY, 'yes')

/** All of them are over, and seen. */
export const forgetStarted = (): void => removeStored(STARTED_KEY)

const isRunning = ({ state }: JobBody): boolean => state === 'running'

const saysSomething = ({ failure, refused }: JobBody): boolean => failure !== null || refused.length > 0

type Translate = (text: string) => string

/** Why records were refused, which the server says in English, as `say` does. */
export const translateSkipReasons = (refused: readonly SkippedRecords[], say: Translate): SkippedRecords[] =>
  refused.map((refusal) => ({ ...refusal, message: say(refusal.message) }))

/** A job whose sentences, which the server says in English, are said as `say` does. */
export const translateJob =
  (say: Translate) =>
  (job: JobBody): JobBody => ({
    ...job,
    failure: job.failure === null ? null : say(job.failure),
    refused: translateSkipReasons(job.refused, say),
  })

/** What goes on on behalf of whoever is signed in, and what ended within a day, wherever it is. */
export const userJobsQuery = queryOptions({
  queryKey: [...queryKeys.jobs, 'own'],
  queryFn: async ({ signal }) => {
    const { items } = await call(listJobs, { signal })
    // Words are fetched only once there is something to say.
    return items.some(saysSomething) ? items.map(translateJob(await serverTranslator())) : items
  },
  refetchInterval: ({ state }) => (state.data?.some(isRunning) ? POLL_INTERVAL_MS : false),
  staleTime: POLL_INTERVAL_MS,
})

/** Records that stood in the way, for one reason. */
export type SkippedRecords = JobBody['refused'][number]

/** How many records were refused in all. */
export const countSkipped = (refusals: readonly SkippedRecords[]): number =>
  refusals.reduce((sum, { count }) => sum + count, 0)
