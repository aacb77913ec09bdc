import { Button, NumberInput, Skeleton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { changeTrashSettings } from '#api/trash.ts'
import { OWNER } from '#domain/access/policy.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { trashSettingsQuery } from '#web/data/queries/workspace-queries.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { Panel } from '#web/ui/layout/panel.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import './storage-panel.css'

const MAX_DAYS = 3650

export function TrashPanel() {
  const { data, error, refetch } = useQuery(trashSettingsQuery)
  return (
    <Panel title={t('Trash')} lead={t('How long deleted records and removed files can be restored.')}>
      {error && !data && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={80} radius="sm" />}
      {data && <TrashForm days={data.days} />}
    </Panel>
  )
}

function TrashForm({ days }: { readonly days: number }) {
  const queryClient = useQueryClient()
  const isOwner = useUser()?.roles.some(({ id }) => id === OWNER) === true
  const [edited, setEdited] = useState<number | string>()
  const chosen = edited ?? days
  const isValid = typeof chosen === 'number' && Number.isInteger(chosen) && chosen >= 1 && chosen <= MAX_DAYS
  const isChanged = chosen !== days
  const change = useMutation({
    mutationFn: (wanted: number) => call(changeTrashSettings, { body: { days: wanted } }),
    onSuccess(saved) {
      queryClient.setQueryData(queryKeys.trashSettings, saved)
      void queryClient.invalidateQueries({ queryKey: queryKeys.trash })
      setEdited(undefined)
      setIsAsking(false)
      notify.success(t('Trash settings saved.'))
    },
  })
  const [isAsking, setIsAsking] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isValid || !isChanged || change.isPending) return
    if (chosen < days) setIsAsking(true)
    else change.mutate(chosen)
  }
  return (
    <form onSubmit={submit} className="storage" noValidate>
      <FailureNotice error={change.error} />
      <WithHelp setting="trash-days">
        <NumberInput
          className="storage-limit"
          label={t('Days in the trash')}
          min={1}
          max={MAX_DAYS}
          allowDecimal={false}
          value={chosen}
          onChange={setEdited}
          disabled={!isOwner}
          description={isOwner ? undefined : t('Only owners can change this.')}
          error={isValid ? undefined : t('Enter a number of days from 1 to 3,650.')}
        />
      </WithHelp>
      <div className="storage-actions">
        <Button type="submit" variant="filled" disabled={!isChanged || !isValid} loading={change.isPending}>
          {t('Save')}
        </Button>
        {isChanged && <Button onClick={() => setEdited(undefined)}>{t('Discard')}</Button>}
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={plural(Number(chosen), 'Keep deleted records for {n} day?', 'Keep deleted records for {n} days?')}
        actionLabel={t('Save')}
        isBusy={change.isPending}
        onConfirm={() => isValid && change.mutate(chosen)}
      >
        {t('Records deleted earlier will be removed permanently. This can’t be undone.')}
      </ConfirmDialog>
    </form>
  )
}
