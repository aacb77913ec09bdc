import { useQuery } from '@tanstack/react-query'
import { listRecords } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'

/** How many records break a rule now. */
export function useViolationCount(collection: string, rule: string) {
  return useQuery({
    queryKey: [...queryKeys.records(collection), 'breaks', rule],
    queryFn: async ({ signal }) => {
      const query = { breaks: rule, perPage: 1, fields: '', count: 'capped' } as const
      const { total, totalIs } = await call(listRecords, { params: { collection }, query, signal })
      return { count: total ?? 0, isExact: totalIs === 'exact' }
    },
  })
}

/** As many records as an address can name. */
const MAX_LISTED = 200

/** A filter that names the first records that break a rule by their ids. */
export async function violatingRecordIds(collection: string, rule: string): Promise<string> {
  const query = { breaks: rule, perPage: MAX_LISTED, count: 'none' } as const
  const { items } = await call(listRecords, { params: { collection }, query })
  return `id in (${items.map(({ id }) => `"${id}"`).join(', ')})`
}
