import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listTransitions, type TransitionBody, transitionRecord, undoTransition } from '#api/workflows.ts'
import { listHistory } from '#api/history.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { invalidateLists, recordQuery } from '#web/data/queries/record-queries.ts'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { notify } from '#web/ui/toast/notify.ts'

const stored = (): Promise<void> => Promise.resolve()

/**
 * Available transitions. They depend on all values, so the query key contains the version; `storeFirst` can save
 * pending edits before the request.
 */
export const transitionsQuery = (collection: string, record: string, version: number, storeFirst = stored) =>
  queryOptions({
    queryKey: [...queryKeys.record(collection, record), 'moves', version],
    queryFn: async ({ signal }) => {
      await storeFirst()
      return call(listTransitions, { params: { collection, record }, signal })
    },
    staleTime: 0,
    gcTime: 0,
  })

/** The last status change of a record, with its comment. */
export const lastStatusChangeQuery = ({ name, workflow, fields }: TypedCollection, record: string) => {
  const field = fields.find(({ id }) => id === workflow?.field)?.name
  return queryOptions({
    queryKey: [...queryKeys.record(name, record), 'last-status-change'],
    queryFn: async ({ signal }) => {
      if (field === undefined) return null
      const query = { perPage: 1, field }
      return (await call(listHistory, { params: { collection: name, record }, query, signal })).items[0] ?? null
    },
  })
}

/** Whether a transition to this status, or to any status, requires a comment. */
export const requiresComment = ({ workflow }: TypedCollection, status?: string): boolean =>
  workflow?.transitions.some(({ to, note }) => note === 'required' && (status === undefined || to === status)) ?? false

export type ChosenTransition = {
  readonly move: Pick<TransitionBody, 'to'>
  readonly note?: string
  /** If set, the status isn't changed if the record was edited since this version. */
  readonly version?: number
}

/** All status changes share one toast: a new change replaces it, and undo applies to the latest change. */
const TOAST = 'status-change'

type RecordInCollection = { readonly collection: string; readonly record: string }

/** Changes the status and offers to undo it; throws if the server refuses. Lists are refreshed before it resolves. */
export async function changeStatus(
  queryClient: QueryClient,
  params: RecordInCollection,
  { move, note, version }: ChosenTransition,
): Promise<{ readonly undo: () => void }> {
  const refresh = () => refreshAfterTransition(queryClient, params)
  const body = { to: move.to, ...(note && { note }), ...(version !== undefined && { version }) }
  const moved = await call(transitionRecord, { params, body })
  const undo = (): void =>
    void call(undoTransition, { params, body: { version: moved.version } })
      .then(() => notify.success(t('Status change undone'), { id: TOAST }), notifyFailure(t('Couldn’t undo')))
      .then(refresh)
  notify.success(t('Status changed to {to}', { to: move.to }), {
    id: TOAST,
    action: { label: t('Undo'), run: undo },
  })
  await refresh()
  return { undo }
}

function refreshAfterTransition(queryClient: QueryClient, { collection, record }: RecordInCollection): Promise<void> {
  invalidateLists(queryClient, collection)
  void queryClient.invalidateQueries({ queryKey: queryKeys.home })
  return queryClient.invalidateQueries({ queryKey: recordQuery(collection, record).queryKey })
}

export function useTransitionRecord(collection: string, record: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (chosen: ChosenTransition) => changeStatus(queryClient, { collection, record }, chosen),
  })
}
