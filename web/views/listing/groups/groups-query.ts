import { queryOptions } from '@tanstack/react-query'
import { listGroups } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { listingParams, type Listing } from '#web/data/queries/record-list-queries.ts'

/** As many groups as the server answers at once. */
export const GROUPS_PER_PAGE = 500

/** A page of the groups of one level: by `status`, by `status,owner`, … */
export type GroupsPage = { readonly by: string; readonly aggregates: string; readonly page: number }

/** Groups of a list with their counts, and with figures where these are asked. */
export const groupsQuery = (collection: string, { by, aggregates, page }: GroupsPage, listing: Listing) =>
  queryOptions({
    // Figures change with every value, groups with few.
    queryKey: (aggregates === '' ? queryKeys.groups : queryKeys.sums)(collection, { by, aggregates, page, ...listing }),
    queryFn: ({ signal }) => {
      const query = {
        by,
        ...(aggregates !== '' && { aggregates }),
        ...listingParams(listing),
        page,
        perPage: GROUPS_PER_PAGE,
      }
      return call(listGroups, { params: { collection }, query, signal })
    },
  })
