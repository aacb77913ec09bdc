import { infiniteQueryOptions, keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { listTrash } from '#api/trash.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { invalidateLists } from '#web/data/queries/record-queries.ts'

export type TrashFilter = { readonly collection: string; readonly search: string }

export const trashQuery = ({ collection, search }: TrashFilter) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.trash, collection, search],
    queryFn: ({ pageParam, signal }) =>
      call(listTrash, {
        query: {
          ...(collection !== '' && { collection }),
          ...(search !== '' && { search }),
          ...(pageParam !== null && { before: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })

/** Refreshes the trash, and the lists of collections whose records were restored. */
export async function refreshTrash(queryClient: QueryClient, collections: readonly string[]): Promise<void> {
  for (const collection of collections) invalidateLists(queryClient, collection)
  void queryClient.invalidateQueries({ queryKey: queryKeys.home })
  await queryClient.invalidateQueries({ queryKey: queryKeys.trash })
}
