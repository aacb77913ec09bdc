import type { z } from 'zod'
import { type bulkChange, MAX_AT_ONCE } from '#api/bulk.ts'
import { type GridSelection, selectedCount } from '#web/ui/grid/selection/selection.ts'
import { plural, t } from '#web/i18n/t.ts'
import { listingParams, type Listing } from '#web/data/queries/record-list-queries.ts'
import { records } from './user-jobs.ts'

/** Selected ids, or all records that match a query except those excluded. */
export type SelectedRecords = {
  readonly listing: Listing
  readonly selection: GridSelection
  /** Total number of records in the list; undefined if not known exactly. */
  readonly total: number | undefined
}

export type BulkBody = Extract<z.input<(typeof bulkChange)['body']>, { where: unknown }>

/** Selected ids are sent as they are, regardless of the filter. */
export const whereOf = ({ listing, selection }: SelectedRecords): BulkBody['where'] =>
  selection.mode === 'these'
    ? { only: [...selection.ids] }
    : { ...listingParams({ ...listing, sort: '' }), except: [...selection.ids] }

/** The number of selected records; undefined if unknown. */
export const countOfSelected = ({ selection, total }: SelectedRecords): number | undefined =>
  selectedCount(selection, total)

/** For example “3 records” or “all matching records”. */
export function describeSelected(picked: SelectedRecords): string {
  const count = countOfSelected(picked)
  return count === undefined ? t('all matching records') : records(count)
}

/** Larger changes run as a job on the server and can't be undone. */
export const runsAsJob = (picked: SelectedRecords): boolean =>
  (countOfSelected(picked) ?? MAX_AT_ONCE + 1) > MAX_AT_ONCE

export const isTooManySelected = ({ selection }: Pick<SelectedRecords, 'selection'>): boolean =>
  selection.ids.size > MAX_AT_ONCE

export const outOfViewText = (count: number): string =>
  plural(count, '{n} selected record isn’t in this list.', '{n} selected records aren’t in this list.')
