import { queryOptions } from '@tanstack/react-query'
import { readSessionPolicy } from '#api/workspace.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'

/** What the workspace says about sessions. */
export const sessionPolicyQuery = queryOptions({
  queryKey: queryKeys.sessionPolicy,
  queryFn: ({ signal }) => call(readSessionPolicy, { signal }),
})
