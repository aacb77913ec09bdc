import { queryOptions } from '@tanstack/react-query'
import { readImport } from '#api/imports.ts'
import { call } from '#web/client/call.ts'
import { queryKeys } from '#web/client/query-keys.ts'

/** How often to ask how far a running import is, in ms. */
const ASK_EVERY_MS = 400

/** One import, asked for again and again while it runs. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.import(id),
    queryFn: ({ signal }) => call(readImport, { params: { import: id }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? ASK_EVERY_MS : false),
    refetchIntervalInBackground: true,
    staleTime: 0,
  })
