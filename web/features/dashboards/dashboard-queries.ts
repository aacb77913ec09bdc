import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  changeDashboard,
  createDashboard,
  type DashboardBody,
  type DashboardItemBody,
  deleteDashboard,
  listDashboards,
  readDashboard,
  restoreDashboard,
} from '#api/dashboards.ts'
import { call, type CallInput } from '#web/data/api/call.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { t } from '#web/i18n/t.ts'
import { notify } from '#web/ui/toast/notify.ts'

/** Interval in ms after which other users' changes appear; window focus refetches immediately. */
const REFETCH_INTERVAL_MS = 30_000

export const dashboardsQuery = queryOptions({
  queryKey: queryKeys.dashboards,
  queryFn: ({ signal }) => call(listDashboards, { signal }),
  refetchInterval: REFETCH_INTERVAL_MS,
})

export const dashboardQuery = (dashboard: string) =>
  queryOptions({
    queryKey: queryKeys.dashboard(dashboard),
    queryFn: ({ signal }): Promise<DashboardBody> => call(readDashboard, { params: { dashboard }, signal }),
    refetchInterval: REFETCH_INTERVAL_MS,
  })

export function useCreateDashboard() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => call(createDashboard, { body: { name } }),
    onSuccess: (made) => {
      queryClient.setQueryData(dashboardQuery(made.id).queryKey, made)
      void queryClient.invalidateQueries({ queryKey: queryKeys.dashboards, exact: true })
    },
  })
}

type Changes = Omit<NonNullable<CallInput<typeof changeDashboard>['body']>, 'version' | 'items'> & {
  readonly items?: readonly ItemChange[]
}

/** An item that the dashboard has, or a new one. */
export type ItemChange =
  | DashboardItemBody
  | { readonly view: string; readonly width: DashboardItemBody['width']; readonly height: DashboardItemBody['height'] }

const isKnown = (item: ItemChange): item is DashboardItemBody => 'id' in item

const sentItem = (item: ItemChange) => (isKnown(item) ? { id: item.id, width: item.width, height: item.height } : item)

/** Shows a change at once and sends changes one after another, each with the version of the previous one. */
export function useChangeDashboard(id: string) {
  const queryClient = useQueryClient()
  const { queryKey } = dashboardQuery(id)
  const mutationKey = ['dashboard', id]
  return useMutation({
    mutationKey,
    scope: { id: `dashboard-${id}` },
    onMutate: ({ items, name, isShared }: Changes) => {
      // Not awaited, because the next key press must see the new order.
      void queryClient.cancelQueries({ queryKey }, { revert: false })
      queryClient.setQueryData(
        queryKey,
        (before) =>
          before && {
            ...before,
            ...(items && { items: items.filter(isKnown) }),
            ...(name !== undefined && { name }),
            ...(isShared !== undefined && { isShared }),
          },
      )
    },
    mutationFn: ({ items, ...changes }: Changes) => {
      const version = queryClient.getQueryData(queryKey)?.version
      const body = {
        ...changes,
        ...(items && { items: items.map(sentItem) }),
        ...(version !== undefined && { version }),
      }
      return call(changeDashboard, { params: { dashboard: id }, body })
    },
    onSuccess: (changed) => {
      const isLast = queryClient.isMutating({ mutationKey }) <= 1
      queryClient.setQueryData(queryKey, (before) =>
        before && !isLast ? { ...before, version: changed.version } : changed,
      )
      void queryClient.invalidateQueries({ queryKey: queryKeys.dashboards, exact: true })
    },
    onError: (error) => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.dashboards })
      if (toCallError(error)?.code === 'version-conflict') {
        notify.warning(t('Someone else edited this dashboard in the meantime'), {
          detail: t('Your last change wasn’t saved. The dashboard shows their version.'),
        })
        return
      }
      const { title, detail } = describeError(error)
      notify.error(title, { detail })
    },
  })
}

export function useDeleteDashboard() {
  const queryClient = useQueryClient()
  const refetch = () => queryClient.invalidateQueries({ queryKey: queryKeys.dashboards, exact: true })
  const { mutate: restore } = useMutation({
    mutationFn: (id: string) => call(restoreDashboard, { params: { dashboard: id } }),
    onSuccess: (restored) => {
      queryClient.setQueryData(dashboardQuery(restored.id).queryKey, restored)
      notify.success(t('Dashboard “{name}” restored', { name: restored.name }))
      return refetch()
    },
    onError: (error) => notify.error(t('Couldn’t undo'), { detail: describeError(error).detail }),
  })
  return useMutation({
    mutationFn: ({ id }: Pick<DashboardBody, 'id' | 'name'>) => call(deleteDashboard, { params: { dashboard: id } }),
    onSuccess: async (_, { id, name }) => {
      notify.success(t('Dashboard “{name}” deleted', { name }), {
        isAboutWorkspace: true,
        action: { label: t('Undo'), run: () => restore(id) },
      })
      await refetch()
      queryClient.removeQueries({ queryKey: dashboardQuery(id).queryKey })
    },
    onError: (error, { name }) =>
      notify.error(t('Couldn’t delete the dashboard “{name}”', { name }), { detail: describeError(error).detail }),
  })
}
