import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listTransitions, listStatusHistory, type TransitionBody, transitionRecord } from '#api/workflows.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { invalidateLists, recordQuery } from '#web/data/queries/record-queries.ts'

/** Available transitions. They depend on every value, so pending edits are saved first. */
export const transitionsQuery = (collection: string, record: string, storeFirst: () => Promise<void>) =>
  queryOptions({
    queryKey: [...queryKeys.record(collection, record), 'moves'],
    queryFn: async ({ signal }) => {
      await storeFirst()
      return call(listTransitions, { params: { collection, record }, signal })
    },
    staleTime: 0,
    gcTime: 0,
  })

export const statusHistoryQuery = (collection: string, record: string) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.record(collection, record), 'status-history'],
    queryFn: ({ pageParam, signal }) =>
      call(listStatusHistory, {
        params: { collection, record },
        query: pageParam === null ? {} : { before: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

export type ChosenTransition = { readonly move: TransitionBody; readonly note?: string }

export function useTransitionRecord(collection: string, record: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ move, note }: ChosenTransition) =>
      call(transitionRecord, { params: { collection, record }, body: { to: move.to, ...(note && { note }) } }),
    onSuccess: async () => {
      invalidateLists(queryClient, collection)
      await queryClient.invalidateQueries({ queryKey: recordQuery(collection, record).queryKey })
    },
  })
}
