import { queryOptions } from '@tanstack/react-query'
import { listRecords, sumRecords } from '#api/records.ts'
import { call } from '#web/client/call.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { asked, type Listing } from '../record-list-queries.ts'
import { type FigureAsk, narrowed } from './figure-asks.ts'

/** What was answered: aggregates by their names, how many records there are, or a first value. */
export type FigureAnswer = {
  readonly count: number
  readonly aggregates: { readonly [figure: string]: number | null }
  readonly first: unknown
}

/** Asks for figures of a list as it is filtered and searched. */
export const figureQuery = (collection: string, ask: FigureAsk, { filter, search }: Omit<Listing, 'sort'>) =>
  queryOptions({
    queryKey: queryKeys.sums(collection, { ...ask, filter, search }),
    queryFn: async ({ signal }): Promise<FigureAnswer> => {
      const params = { collection }
      if (ask.is === 'first') {
        const query = {
          ...asked({ filter, search, sort: ask.sort }),
          perPage: 1,
          fields: ask.field,
          count: 'none',
        } as const
        const [record] = (await call(listRecords, { params, query, signal })).items
        const system = ask.sort.replace('-', '') === 'createdAt' ? record?.createdAt : record?.updatedAt
        return { ...NOTHING, first: ask.field === '' ? system : record?.values[ask.field] }
      }
      const { sort: _, ...list } = asked({
        filter: ask.is === 'count' ? narrowed(filter, ask.where) : filter,
        search,
        sort: '',
      })
      const aggregates = ask.is === 'sums' && ask.aggregates !== '' ? { aggregates: ask.aggregates } : {}
      return { ...NOTHING, ...(await call(sumRecords, { params, query: { ...list, ...aggregates }, signal })) }
    },
  })

const NOTHING: FigureAnswer = { count: 0, aggregates: {}, first: null }
