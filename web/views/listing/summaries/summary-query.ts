import { queryOptions } from '@tanstack/react-query'
import { listRecords, sumRecords } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { listingParams, type Listing } from '#web/data/queries/record-list-queries.ts'
import { type SummaryRequest, withCondition } from './summary-requests.ts'

/** What was answered: aggregates by their names, how many records there are, or a first value. */
export type SummaryResult = {
  readonly count: number
  readonly aggregates: { readonly [figure: string]: number | null }
  readonly first: unknown
}

/** Asks for figures of a list as it is filtered and searched. */
export const summaryQuery = (collection: string, ask: SummaryRequest, { filter, search }: Omit<Listing, 'sort'>) =>
  queryOptions({
    queryKey: queryKeys.sums(collection, { ...ask, filter, search }),
    queryFn: async ({ signal }): Promise<SummaryResult> => {
      const params = { collection }
      if (ask.is === 'first') {
        const query = {
          ...listingParams({ filter, search, sort: ask.sort }),
          perPage: 1,
          fields: ask.field,
          count: 'none',
        } as const
        const [record] = (await call(listRecords, { params, query, signal })).items
        const system = ask.sort.replace('-', '') === 'createdAt' ? record?.createdAt : record?.updatedAt
        return { ...NOTHING, first: ask.field === '' ? system : record?.values[ask.field] }
      }
      const { sort: _, ...list } = listingParams({
        filter: ask.is === 'count' ? withCondition(filter, ask.where) : filter,
        search,
        sort: '',
      })
      const aggregates = ask.is === 'sums' && ask.aggregates !== '' ? { aggregates: ask.aggregates } : {}
      return { ...NOTHING, ...(await call(sumRecords, { params, query: { ...list, ...aggregates }, signal })) }
    },
  })

const NOTHING: SummaryResult = { count: 0, aggregates: {}, first: null }
