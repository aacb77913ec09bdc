import { queryOptions } from '@tanstack/react-query'
import { readProfileFields } from '#api/workspace.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from './query-keys.ts'

/** What the workspace notes about its people, for conditions. */
export const userAttributesQuery = queryOptions({
  queryKey: queryKeys.profileFields,
  queryFn: async ({ signal }) => (await call(readProfileFields, { signal })).items,
})
