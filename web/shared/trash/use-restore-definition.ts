import { useMutation, useQueryClient } from '@tanstack/react-query'
import { restoreDefinition } from '#api/trash.ts'
import { call } from '#web/data/api/call.ts'
import { t } from '#web/i18n/t.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { notify } from '#web/ui/toast/notify.ts'

type Deleted = { readonly id: string; readonly label: string }

/** Restores a deleted field or collection. */
export function useRestoreDefinition() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Deleted) => call(restoreDefinition, { params: { definition: id } }),
    onSuccess: async (_, { label }) => {
      await queryClient.invalidateQueries()
      notify.success(t('{label} restored', { label }))
    },
    onError: notifyFailure(t('Couldn’t restore')),
  })
}
