import { queryOptions } from '@tanstack/react-query'
import { readTimeZone } from '#api/workspace.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from './query-keys.ts'

/** The time zone of the workspace, by which grants and rules read days. */
export const timeZoneQuery = queryOptions({
  queryKey: queryKeys.timeZone,
  queryFn: ({ signal }) => call(readTimeZone, { signal }),
})
