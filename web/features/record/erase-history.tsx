import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { eraseHistory } from '#api/history.ts'
import { OWNER } from '#domain/access/policy.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { t } from '#web/i18n/t.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { notify } from '#web/ui/toast/notify.ts'

type EraseHistoryProps = { readonly collection: string; readonly record: string }

/** Erases the former values of a record, for owners: for example, to comply with privacy law. */
export function EraseHistory({ collection, record }: EraseHistoryProps) {
  const isOwner = useUser()?.roles.some(({ id }) => id === OWNER) === true
  const queryClient = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(eraseHistory, { body: { records: [record] } }),
    onSuccess: async () => {
      setIsAsking(false)
      await queryClient.invalidateQueries({ queryKey: queryKeys.record(collection, record) })
      notify.success(t('History erased'))
    },
    onError: notifyFailure(t('Couldn’t erase the history')),
  })
  if (!isOwner) return null
  return (
    <>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setIsAsking(true)}>
        {t('Erase history')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('Erase the history of this record?')}
        actionLabel={t('Erase history')}
        isBusy={isPending}
        onConfirm={() => mutate()}
      >
        {t(
          'Its former values are erased for everyone, and changes to it can no longer be undone. The record keeps its current values. Backups still contain the history.',
        )}
      </ConfirmDialog>
    </>
  )
}
