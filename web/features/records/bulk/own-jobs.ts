import { queryOptions } from '@tanstack/react-query'
import { type JobBody, listJobs } from '#api/bulk.ts'
import { forget, keep, readKept } from '#web/client/browser-storage.ts'
import { call } from '#web/client/call.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { serverWords } from '#web/language/of-the-server.ts'

/** How often jobs are asked how far they are, in ms. */
const ASK_EVERY_MS = 1000

/** Kept from the first job on that this browser begins until all of them are over and seen: others need not ask. */
const BEGUN_KEY = 'jobs-begun'

/** Whether there may be jobs that were begun here. */
export const mayHaveJobs = (): boolean => readKept(BEGUN_KEY) !== null

/** A job was begun: it is found again after a reload. */
export const noteBegun = (): void => keep(BEGUN_KEY, 'yes')

/** All of them are over, and seen. */
export const forgetBegun = (): void => forget(BEGUN_KEY)

const isRunning = ({ state }: JobBody): boolean => state === 'running'

const saysSomething = ({ failure, refused }: JobBody): boolean => failure !== null || refused.length > 0

type Say = (text: string) => string

/** Why records were refused, which the server says in English, as `say` does. */
export const refusalsInWords = (refused: readonly Refusal[], say: Say): Refusal[] =>
  refused.map((refusal) => ({ ...refusal, message: say(refusal.message) }))

/** A job whose sentences, which the server says in English, are said as `say` does. */
export const inWords =
  (say: Say) =>
  (job: JobBody): JobBody => ({
    ...job,
    failure: job.failure === null ? null : say(job.failure),
    refused: refusalsInWords(job.refused, say),
  })

/** What goes on on behalf of whoever is signed in, and what ended within a day, wherever it is. */
export const ownJobsQuery = queryOptions({
  queryKey: [...queryKeys.jobs, 'own'],
  queryFn: async ({ signal }) => {
    const { items } = await call(listJobs, { signal })
    // Words are fetched only once there is something to say.
    return items.some(saysSomething) ? items.map(inWords(await serverWords())) : items
  },
  refetchInterval: ({ state }) => (state.data?.some(isRunning) ? ASK_EVERY_MS : false),
  staleTime: ASK_EVERY_MS,
})

/** Records that stood in the way, for one reason. */
export type Refusal = JobBody['refused'][number]

/** How many records were refused in all. */
export const countRefused = (refusals: readonly Refusal[]): number =>
  refusals.reduce((sum, { count }) => sum + count, 0)
