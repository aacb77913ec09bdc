import type { z } from 'zod'
import { type bulkChange, MAX_AT_ONCE } from '#api/bulk.ts'
import { type GridSelection, selectedCount } from '#web/ui/grid/selection/selection.ts'
import { plural, t } from '#web/i18n/t.ts'
import { listingParams, type Listing } from '#web/data/queries/record-list-queries.ts'
import { records } from './user-jobs.ts'

/** What is selected in a list: some records, or by a rule all of the list but some. */
export type SelectedRecords = {
  readonly listing: Listing
  readonly selection: GridSelection
  /** How many records the list has, where that is known to the last. */
  readonly total: number | undefined
}

/** A bulk change as it is sent. */
export type BulkBody = Extract<z.input<(typeof bulkChange)['body']>, { where: unknown }>

/** The selected records as the server takes them: picked ones by their ids, wherever the filter has gone since. */
export const whereOf = ({ listing, selection }: SelectedRecords): BulkBody['where'] =>
  selection.mode === 'these'
    ? { only: [...selection.ids] }
    : { ...listingParams({ ...listing, sort: '' }), except: [...selection.ids] }

/** How many are selected; undefined where nobody knows yet. */
export const countOfSelected = ({ selection, total }: SelectedRecords): number | undefined =>
  selectedCount(selection, total)

/** The selected records in words: “3 records”, “all matching records”. */
export function describeSelected(picked: SelectedRecords): string {
  const count = countOfSelected(picked)
  return count === undefined ? t('all matching records') : records(count)
}

/** Whether it is more than is changed in one go: then the server goes on by itself, and nothing is undone. */
export const runsAsJob = (picked: SelectedRecords): boolean =>
  (countOfSelected(picked) ?? MAX_AT_ONCE + 1) > MAX_AT_ONCE

/** Whether more records are picked one by one than can be named. */
export const isTooManySelected = ({ selection }: Pick<SelectedRecords, 'selection'>): boolean =>
  selection.ids.size > MAX_AT_ONCE

/** Selected records that an action changes though the list does not show them. */
export const outOfViewText = (count: number): string =>
  plural(count, '{n} selected record isn’t in this list.', '{n} selected records aren’t in this list.')
