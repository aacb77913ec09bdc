import { queryOptions } from '@tanstack/react-query'
import { listPeople } from '#api/people.ts'
import { call } from '#web/client/call.ts'
import { queryKeys } from '#web/client/query-keys.ts'

/** As many as one asks for at once; beyond them people are found by their names. */
const MOST_PEOPLE = 500

/** Who may be chosen, for lists to choose from without searching. */
export const peopleQuery = queryOptions({
  queryKey: queryKeys.people,
  queryFn: async ({ signal }) => (await call(listPeople, { query: { page: 1, perPage: MOST_PEOPLE }, signal })).items,
  staleTime: 60_000,
})
