import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { changeView, createView, deleteView, type ViewBody } from '#api/views.ts'
import { call, type CallInput } from '#web/data/api/call.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { viewsQuery } from '#web/data/queries/collections-query.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { t } from '#web/i18n/t.ts'

export type NewView = CallInput<typeof createView>['body']

export type ViewChanges = NonNullable<CallInput<typeof changeView>['body']>

const refetchViews = (queryClient: QueryClient, collection: string): Promise<unknown> =>
  Promise.all(
    [queryKeys.views(collection), queryKeys.viewNames].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )

/** Adds the view immediately; the order is refetched. */
function takeView(queryClient: QueryClient, collection: string, view: ViewBody): void {
  const { queryKey } = viewsQuery(collection)
  queryClient.setQueryData(queryKey, (before) =>
    before?.some(({ id }) => id === view.id)
      ? before.map((each) => (each.id === view.id ? view : each))
      : before && [...before, view],
  )
  void refetchViews(queryClient, collection)
}

export function useCreateView(collection: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: NewView) => call(createView, { params: { collection }, body }),
    onSuccess: (made) => takeView(queryClient, collection, made),
  })
}

/** After a version conflict, loads the other user's version and reapplies this user's changes. */
export function useChangeView(collection: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ view, body }: { readonly view: string; readonly body: ViewChanges }) =>
      call(changeView, { params: { collection, view }, body }),
    onSuccess: (changed) => takeView(queryClient, collection, changed),
    onError: (error) => {
      void refetchViews(queryClient, collection)
      notifyFailed(error)
    },
  })
}

function notifyFailed(error: unknown): void {
  if (toCallError(error)?.code === 'version-conflict') {
    notify.warning(t('Someone else edited this view in the meantime'), {
      detail: t('The view shows their version with your changes applied. Review it and save again.'),
    })
    return
  }
  const { title, detail } = describeError(error)
  notify.error(title, { detail })
}

export function useDeleteView(collection: string) {
  const queryClient = useQueryClient()
  const { queryKey } = viewsQuery(collection)
  return useMutation({
    mutationFn: ({ id }: ViewBody) => call(deleteView, { params: { collection, view: id } }),
    onSuccess: (_, { id, name }) => {
      queryClient.setQueryData(queryKey, (before) => before?.filter((each) => each.id !== id))
      notify.success(t('View “{name}” deleted', { name }))
    },
    onError: (error, { name }) =>
      notify.error(t('Couldn’t delete the view “{name}”', { name }), { detail: describeError(error).detail }),
    onSettled: () => refetchViews(queryClient, collection),
  })
}
