import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type ActivityEntry, type ActivityPart, listActivity, undoChangeSet, type UndoResult } from '#api/activity.ts'
import { call } from '#web/data/api/call.ts'
import { NEWEST_FIRST, queryKeys } from '#web/data/queries/query-client.ts'

/** Empty texts stand for everything. */
export type ActivityFilter = {
  readonly collection: string
  readonly person: string
  readonly kind: ActivityPart['kind'] | ''
  readonly via: NonNullable<ActivityEntry['via']> | ''
}

export const activityQuery = ({ collection, person, kind, via }: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.activity, collection, person, kind, via],
    queryFn: ({ pageParam, signal }) =>
      call(listActivity, {
        query: {
          ...(collection !== '' && { collection }),
          ...(person !== '' && { person }),
          ...(kind !== '' && { kind }),
          ...(via !== '' && { via }),
          ...(pageParam !== null && { before: pageParam }),
        },
        signal,
      }),
    ...NEWEST_FIRST,
    refetchOnMount: 'always',
  })

/** What undoing a change would do. */
export const undoPreviewQuery = (changeSet: string) =>
  queryOptions({
    queryKey: ['undo-preview', changeSet],
    queryFn: async ({ signal }): Promise<UndoResult> => {
      const said = await call(undoChangeSet, { params: { changeSet }, query: { preview: 'true' }, signal })
      if ('job' in said) throw new Error('A preview started a job')
      return said
    },
    staleTime: 0,
    gcTime: 0,
  })
