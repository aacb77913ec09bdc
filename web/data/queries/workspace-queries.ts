import { queryOptions } from '@tanstack/react-query'
import { readProfileFields, readTimeZone } from '#api/workspace.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from './query-client.ts'

/** The time zone of the workspace, in which grants and rules read calendar days. */
export const timeZoneQuery = queryOptions({
  queryKey: queryKeys.timeZone,
  queryFn: ({ signal }) => call(readTimeZone, { signal }),
})

export const userAttributesQuery = queryOptions({
  queryKey: queryKeys.profileFields,
  queryFn: async ({ signal }) => (await call(readProfileFields, { signal })).items,
})
