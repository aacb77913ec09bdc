import { queryOptions } from '@tanstack/react-query'
import { readTrashSettings } from '#api/trash.ts'
import { readProfileFields, readTimeZone } from '#api/workspace.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from './query-client.ts'
import { listTours } from '#api/system.ts'

/** The workspace's time zone, which grants and rules use to determine calendar days. */
export const timeZoneQuery = queryOptions({
  queryKey: queryKeys.timeZone,
  queryFn: ({ signal }) => call(readTimeZone, { signal }),
})

/** How long deleted records stay in the trash. */
export const trashSettingsQuery = queryOptions({
  queryKey: queryKeys.trashSettings,
  queryFn: ({ signal }) => call(readTrashSettings, { signal }),
})

export const userAttributesQuery = queryOptions({
  queryKey: queryKeys.profileFields,
  queryFn: async ({ signal }) => (await call(readProfileFields, { signal })).items,
})

/** The user's tour progress, and whether the workspace has tours enabled. */
export const toursQuery = queryOptions({
  queryKey: queryKeys.tours,
  queryFn: ({ signal }) => call(listTours, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
