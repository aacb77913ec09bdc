import { queryOptions } from '@tanstack/react-query'
import { listPeople } from '#api/users.ts'
import type { PersonBody } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'

const PER_PAGE = 500

/** Lists without search end here. */
const MAX_PAGES = 20

async function readPeople(signal: AbortSignal): Promise<readonly PersonBody[]> {
  const people: PersonBody[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items, hasMore } = await call(listPeople, { query: { page, perPage: PER_PAGE }, signal })
    people.push(...items)
    if (!hasMore) break
  }
  return people
}

export const peopleQuery = queryOptions({
  queryKey: queryKeys.people,
  queryFn: ({ signal }) => readPeople(signal),
  staleTime: 60_000,
})
