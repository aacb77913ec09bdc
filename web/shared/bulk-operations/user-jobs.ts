import { type JobBody, listJobs } from '#api/bulk.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { plural, t } from '#web/i18n/t.ts'
import { queryOptions } from '@tanstack/react-query'
import { readStored, removeStored, setStored } from '#web/data/storage/browser-storage.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
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

/** A job with the collection it works in, as far as that is known. */
export type KnownJob = { readonly job: JobBody; readonly collection: TypedCollection | undefined }

/** What a job does: “Changing Status in Parcels”. */
export function describeRunning({ job, collection }: KnownJob): string {
  const where = collection?.label ?? t('a collection')
  switch (job.does) {
    case 'update':
      return t('Updating {changedLabels} in {where}', { changedLabels: changedLabels({ job, collection }), where })
    case 'delete':
      return t('Deleting from {where}', { where })
    case 'restore':
      return t('Restoring in {where}', { where })
    case 'transition':
      return t('Moving records in {where} to {stateName}', { stateName: stateName({ job, collection }), where })
    case 'change-field':
      return t('Changing the type of {labelsOf} in {where}', {
        labelsOf: labelsOf([job.field ?? ''], collection),
        where,
      })
  }
}

/** What it did: “Changed Status in 12,400 records”. */
export function describeDone({ job, collection }: KnownJob): string {
  const count = records(job.done)
  switch (job.does) {
    case 'update':
      return t('Updated {changedLabels} in {count}', { changedLabels: changedLabels({ job, collection }), count })
    case 'delete':
      return t('Deleted {count}', { count })
    case 'restore':
      return t('Restored {count}', { count })
    case 'transition':
      return t('Moved {count} to {stateName}', { count, stateName: stateName({ job, collection }) })
    case 'change-field':
      return t('Changed the type of {labelsOf}', { labelsOf: labelsOf([job.field ?? ''], collection) })
  }
}

/** Whether what a job deleted can be restored. */
export const canBeUndone = ({ does, done, state }: JobBody): boolean =>
  does === 'delete' && done > 0 && state !== 'running'

/** How it ended, whole: with what was refused, and what kept it from its end. */
export function endText(known: KnownJob): { readonly text: string; readonly detail: string | undefined } {
  const { state, refused, failure } = known.job
  const done = describeDone(known)
  const parts = [state === 'done' ? null : failure, describeSkipped(refused), describeLost(known.job)]
  const detail = parts.filter((part) => part !== null && part !== undefined).join(' ')
  if (state === 'done') return { text: done, detail: detail === '' ? undefined : detail }
  return { text: t('Stopped. {done} so far', { done }), detail: detail === '' ? undefined : detail }
}

/** How many values a restored deletion could not bring back. */
function describeLost({ does, lost }: JobBody): string | undefined {
  if (does !== 'restore' || lost === null || lost === 0) return undefined
  return plural(lost, 'Couldn’t restore {n} value.', 'Couldn’t restore {n} values.')
}

/** How many records were left as they are, and the first reason. */
export function describeSkipped(refused: readonly JobBody['refused'][number][]): string | undefined {
  const [first] = refused
  if (!first) return undefined
  const more = refused.length > 1 ? ` ${t('There are other reasons too.')}` : ''
  return t('{countRefused} failed: {message}{more}', {
    countRefused: countSkipped(refused),
    message: first.message,
    more,
  })
}

/** How far it is, in words and as a share; the share is undefined until the records are counted. */
export function progressOf({ done, total, refused }: JobBody): { readonly text: string; readonly share?: number } {
  if (total === null) return { text: t('{records} so far', { records: records(done) }) }
  const through = Math.min(total, done + countSkipped(refused))
  return {
    text: t('{through} of {records}', { through, records: records(total) }),
    share: total === 0 ? 1 : through / total,
  }
}

const changedLabels = ({ job, collection }: KnownJob): string => labelsOf(job.fields, collection)

function labelsOf(ids: readonly string[], collection: TypedCollection | undefined): string {
  const labels = ids.flatMap((id) => collection?.fields.find((field) => field.id === id)?.label ?? [])
  return labels.length === 0 ? 'values' : labels.join(', ')
}

function stateName({ job, collection }: KnownJob): string {
  const choices = collection?.fields.flatMap((field) => (field.kind === 'state' ? field.options.choices : []))
  return choices?.find(({ id }) => id === job.to)?.name ?? t('another status')
}

/** A number of records, in words. */
export const records = (count: number): string => plural(count, '{n} record', '{n} records')
