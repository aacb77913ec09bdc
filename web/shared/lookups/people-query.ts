import { queryOptions } from '@tanstack/react-query'
import { listPeople } from '#api/users.ts'
import type { PersonBody } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'

/** The API answers so many at once. */
const PER_PAGE = 500

/** Where lists without a search end, so that opening a page stays cheap. */
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

/** Who may be chosen, for lists to choose from without searching. */
export const peopleQuery = queryOptions({
  queryKey: queryKeys.people,
  queryFn: ({ signal }) => readPeople(signal),
  staleTime: 60_000,
})
