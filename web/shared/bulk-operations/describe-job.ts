import type { JobBody } from '#api/bulk.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { plural, t } from '#web/i18n/t.ts'
import { countSkipped } from './user-jobs.ts'

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
