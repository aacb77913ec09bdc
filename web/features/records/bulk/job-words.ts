import type { JobBody } from '#api/bulk.ts'
import { countOf, formatCount } from '#web/fields/format-value.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { countRefused } from './own-jobs.ts'

/** A job with the collection it works in, as far as that is known. */
export type KnownJob = { readonly job: JobBody; readonly collection: KnownCollection | undefined }

/** What a job does: “Changing Status in Parcels”. */
export function doingText({ job, collection }: KnownJob): string {
  const where = collection?.label ?? 'a collection'
  switch (job.does) {
    case 'update':
      return `Changing ${changedLabels({ job, collection })} in ${where}`
    case 'delete':
      return `Deleting from ${where}`
    case 'transition':
      return `Moving to ${stateName({ job, collection })} in ${where}`
    case 'change-field':
      return `Changing the kind of ${labelsOf([job.field ?? ''], collection)} in ${where}`
  }
}

/** What it did: “Changed Status in 12,400 records”. */
export function doneText({ job, collection }: KnownJob): string {
  const count = records(job.done)
  switch (job.does) {
    case 'update':
      return `Changed ${changedLabels({ job, collection })} in ${count}`
    case 'delete':
      return `Deleted ${count}`
    case 'transition':
      return `Moved ${count} to ${stateName({ job, collection })}`
    case 'change-field':
      return `Changed the kind of ${labelsOf([job.field ?? ''], collection)}`
  }
}

/** How it ended, whole: with what was refused, and what kept it from its end. */
export function endText(known: KnownJob): { readonly text: string; readonly detail: string | undefined } {
  const { state, refused, failure } = known.job
  const done = doneText(known)
  if (state === 'done') return { text: done, detail: refusedText(refused) }
  const detail = [failure, refusedText(refused)].filter((part) => part !== null && part !== undefined).join(' ')
  return { text: `Stopped. ${done} until then`, detail: detail === '' ? undefined : detail }
}

/** How many records were left as they are, and the first reason. */
export function refusedText(refused: readonly JobBody['refused'][number][]): string | undefined {
  const [first] = refused
  if (!first) return undefined
  const more = refused.length === 1 ? '' : ' There are more reasons.'
  return `${formatCount(countRefused(refused))} refused: ${first.message}${more}`
}

/** How far it is, in words and as a share; the share is undefined until the records are counted. */
export function progressOf({ done, total, refused }: JobBody): { readonly text: string; readonly share?: number } {
  if (total === null) return { text: `${records(done)} so far` }
  const through = Math.min(total, done + countRefused(refused))
  return { text: `${formatCount(through)} of ${records(total)}`, share: total === 0 ? 1 : through / total }
}

const changedLabels = ({ job, collection }: KnownJob): string => labelsOf(job.fields, collection)

function labelsOf(ids: readonly string[], collection: KnownCollection | undefined): string {
  const labels = ids.flatMap((id) => collection?.fields.find((field) => field.id === id)?.label ?? [])
  return labels.length === 0 ? 'values' : labels.join(', ')
}

function stateName({ job, collection }: KnownJob): string {
  const choices = collection?.fields.flatMap((field) => (field.kind === 'state' ? field.options.choices : []))
  return choices?.find(({ id }) => id === job.to)?.name ?? 'another state'
}

/** A number of records, in words. */
export const records = (count: number): string => countOf(count, 'record', 'records')
