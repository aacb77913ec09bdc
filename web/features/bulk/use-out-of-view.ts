import { useQuery } from '@tanstack/react-query'
import { countBulk } from '#api/bulk.ts'
import { call } from '#web/data/api/call.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { listingParams, keepPreviousPage } from '#web/data/queries/record-list-queries.ts'
import { isTooManySelected, type SelectedRecords } from '#web/shared/bulk-operations/selected-records.ts'

let numbered = 0
const numbers = new WeakMap<ReadonlySet<string>, number>()

/** Tells one set of ids from another without comparing thousands of them. */
function numberOf(ids: ReadonlySet<string>): number {
  const number = numbers.get(ids) ?? (numbered += 1)
  numbers.set(ids, number)
  return number
}

/** How many records picked one by one the filter and search of the list do not find; 0 while that is not known. */
export function useOutOfView(
  collection: string,
  { listing, selection }: Pick<SelectedRecords, 'listing' | 'selection'>,
): number {
  const { filter, search } = listing
  const isNarrowed = filter !== '' || search.trim() !== ''
  const { ids, mode } = selection
  const isSeen = useUser()?.view_as?.is_on === true
  const { data } = useQuery({
    queryKey: queryKeys.recordList(collection, { filter, search, selected: numberOf(ids) }),
    queryFn: async ({ signal }) => {
      const where = { ...listingParams({ filter, search, sort: '' }), only: [...ids] }
      const { count } = await call(countBulk, { params: { collection }, body: { where }, signal })
      return { outOfView: Math.max(0, ids.size - count) }
    },
    placeholderData: keepPreviousPage(collection),
    // In view-as nothing is sent but reads by GET.
    enabled: !isSeen && mode === 'these' && ids.size > 0 && isNarrowed && !isTooManySelected({ selection }),
  })
  return mode === 'these' && isNarrowed ? Math.min(ids.size, data?.outOfView ?? 0) : 0
}
