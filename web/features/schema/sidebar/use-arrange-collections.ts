import { useMutation, useQueryClient } from '@tanstack/react-query'
import { arrangeCollections, type CollectionBody } from '#api/collections.ts'
import { type SidebarLayout, sidebarLayoutOf, applySidebarLayout } from '#domain/collections/sidebar-layout.ts'
import { withAppearance } from '#domain/collections/collection-appearance.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'

const TOAST = 'sidebar-arranged'

/** Updates optimistically with undo, and reverts on failure. */
export function useArrangeCollections(): (wanted: SidebarLayout, said: string) => void {
  const queryClient = useQueryClient()
  const show = (wanted: SidebarLayout): void =>
    void queryClient.setQueryData(collectionsQuery.queryKey, (before) => before && arranged(before, wanted))
  const { mutate } = useMutation({
    mutationFn: (wanted: SidebarLayout) =>
      call(arrangeCollections, {
        body: { groups: wanted.map(({ name, collections }) => ({ name, collections: [...collections] })) },
      }),
    onMutate: show,
    onError: (error) =>
      void notify.error(t('Couldn’t update the sidebar'), { id: TOAST, detail: describeError(error).detail }),
    onSettled: () => queryClient.invalidateQueries(collectionsQuery),
  })
  return (wanted, said) => {
    const before = sidebarLayoutOf(queryClient.getQueryData(collectionsQuery.queryKey) ?? [])
    const run = () => {
      notify.dismiss(TOAST)
      mutate(before)
    }
    notify.dismiss(TOAST)
    mutate(wanted, {
      onSuccess: () => void notify.success(said, { id: TOAST, action: { label: t('Undo'), run } }),
    })
  }
}

function arranged(collections: readonly CollectionBody[], wanted: SidebarLayout): readonly CollectionBody[] {
  const judged = applySidebarLayout(collections, wanted)
  if (!judged.ok) return collections
  const byId = new Map(collections.map((each) => [each.id, each]))
  return judged.value.flatMap(({ id, group }) => {
    const collection = byId.get(id)
    return collection ? withAppearance(collection, { group: group ?? null }) : []
  })
}
