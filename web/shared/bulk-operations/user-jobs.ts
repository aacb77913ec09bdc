import { type JobBody, listJobs } from '#api/bulk.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { plural, t } from '#web/i18n/t.ts'
import { queryOptions } from '@tanstack/react-query'
import { readStored, removeStored, setStored } from '#web/data/storage/browser-storage.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'

const POLL_INTERVAL_MS = 1000

/**
 * Set from the first job started in this browser until all jobs have finished and been seen; other browsers don't need
 * to poll.
 */
const STARTED_KEY = 'jobs-begun'

export const mayHaveRunningJobs = (): boolean => readStored(STARTED_KEY) !== null

/** Jobs started by this page whose end hasn't been announced; a small one may end before its state is first read. */
const startedHere = new Set<string>()

export function rememberStarted(job: string): void {
  setStored(STARTED_KEY, 'yes')
  startedHere.add(job)
}

/** Whether this page started the job and hasn't announced its end; only once. */
export const takeStarted = (job: string): boolean => startedHere.delete(job)

export const forgetStarted = (): void => removeStored(STARTED_KEY)

const isRunning = ({ state }: JobBody): boolean => state === 'running'

const saysSomething = ({ failure, refused }: JobBody): boolean => failure !== null || refused.length > 0

type Translate = (text: string) => string

export const translateSkipReasons = (refused: readonly SkippedRecords[], say: Translate): SkippedRecords[] =>
  refused.map((refusal) => ({ ...refusal, message: say(refusal.message) }))

export const translateJob =
  (say: Translate) =>
  (job: JobBody): JobBody => ({
    ...job,
    failure: job.failure === null ? null : say(job.failure),
    refused: translateSkipReasons(job.refused, say),
  })

/** The user's running jobs and those that finished within the last day. */
export const userJobsQuery = queryOptions({
  queryKey: [...queryKeys.jobs, 'own'],
  queryFn: async ({ signal }) => {
    const { items } = await call(listJobs, { signal })
    // Loads translations only if a job contains text.
    return items.some(saysSomething) ? items.map(translateJob(await serverTranslator())) : items
  },
  refetchInterval: ({ state }) => (state.data?.some(isRunning) ? POLL_INTERVAL_MS : false),
  staleTime: POLL_INTERVAL_MS,
})

export type SkippedRecords = JobBody['refused'][number]

export const countSkipped = (refusals: readonly SkippedRecords[]): number =>
  refusals.reduce((sum, { count }) => sum + count, 0)

export type KnownJob = { readonly job: JobBody; readonly collection: TypedCollection | undefined }

/** For example “Changing Status in Parcels”. */
export function describeRunning({ job, collection }: KnownJob): string {
  const where = collection?.label ?? t('a collection')
  switch (job.does) {
    case 'update':
      return t('Updating {changedLabels} in {where}', { changedLabels: changedLabels({ job, collection }), where })
    case 'delete':
      return t('Deleting from {where}', { where })
    case 'restore':
      return t('Undoing a change in {where}', { where })
    case 'transition':
      return t('Moving records in {where} to {stateName}', { stateName: stateName({ job, collection }), where })
    case 'change-field':
      return t('Changing the type of {labelsOf} in {where}', {
        labelsOf: labelsOf([job.field ?? ''], collection),
        where,
      })
  }
}

/** For example “Changed Status in 12,400 records”. */
export function describeDone({ job, collection }: KnownJob): string {
  const count = records(job.done)
  switch (job.does) {
    case 'update':
      return t('Updated {changedLabels} in {count}', { changedLabels: changedLabels({ job, collection }), count })
    case 'delete':
      return t('Deleted {count}', { count })
    case 'restore':
      return t('Undone: {count}', { count })
    case 'transition':
      return t('Moved {count} to {stateName}', { count, stateName: stateName({ job, collection }) })
    case 'change-field':
      return t('Changed the type of {labelsOf}', { labelsOf: labelsOf([job.field ?? ''], collection) })
  }
}

export const canBeUndone = ({ does, done, state }: JobBody): boolean =>
  does !== 'change-field' && done > 0 && state !== 'running'

/** The complete result, including rejected records and the failure. */
export function endText(known: KnownJob): { readonly text: string; readonly detail: string | undefined } {
  const { state, refused, failure } = known.job
  const done = describeDone(known)
  const skipped = known.job.does === 'restore' ? describeReasons(refused) : describeSkipped(refused)
  const parts = [state === 'done' ? null : failure, skipped, describeLost(known.job)]
  const detail = parts.filter((part) => part !== null && part !== undefined && part !== '').join(' ')
  if (state === 'done') return { text: done, detail: detail === '' ? undefined : detail }
  return { text: t('Stopped. {done} so far', { done }), detail: detail === '' ? undefined : detail }
}

function describeLost({ does, lost }: JobBody): string | undefined {
  if (does !== 'restore' || lost === null || lost === 0) return undefined
  return plural(lost, 'Couldn’t restore {n} value.', 'Couldn’t restore {n} values.')
}

export function describeSkipped(refused: readonly JobBody['refused'][number][]): string | undefined {
  const [first] = refused
  if (!first) return undefined
  const more = refused.length > 1 ? ` ${t('Some failed for other reasons.')}` : ''
  return t('{countRefused} failed: {message}{more}', {
    countRefused: countSkipped(refused),
    message: first.message,
    more,
  })
}

/** For example “40 records: Kept because of later edits.” */
export const describeReason = ({ count, message }: Pick<SkippedRecords, 'count' | 'message'>): string =>
  count === 0 ? message : `${plural(count, '{n} record:', '{n} records:')} ${message}`

export const describeReasons = (skipped: readonly SkippedRecords[]): string => skipped.map(describeReason).join(' ')

/** The share is undefined until the job has counted the records. */
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

export const records = (count: number): string => plural(count, '{n} record', '{n} records')
