import { queryOptions } from '@tanstack/react-query'
import { readImport } from '#api/imports.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'

/** How often to ask how far a running import is, in ms. */
const POLL_INTERVAL_MS = 400

/** One import, asked for again and again while it runs. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.import(id),
    queryFn: async ({ signal }) => {
      const body = await call(readImport, { params: { import: id }, signal })
      const { failure, errors } = body
      if (failure === null && errors.length === 0) return body
      const say = await serverTranslator()
      return {
        ...body,
        failure: failure === null ? null : say(failure),
        errors: errors.map((error) => ({ ...error, message: say(error.message) })),
      }
    },
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_INTERVAL_MS : false),
    refetchIntervalInBackground: true,
    staleTime: 0,
  })
