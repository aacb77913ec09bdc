import { Button, NumberInput, Skeleton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { z } from 'zod'
import { changeTrashSettings } from '#api/trash.ts'
import { OWNER } from '#domain/access/policy.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { trashSettingsQuery } from '#web/data/queries/workspace-queries.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { ConfirmDialog, type ConfirmDialogProps } from '#web/ui/dialogs/confirm-dialog.tsx'
import { Panel } from '#web/ui/layout/panel.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import './storage-panel.css'

const MAX_DAYS = 3650
const MAX_HISTORY_DAYS = 36_500

export function TrashPanel() {
  const { data, error, refetch } = useQuery(trashSettingsQuery)
  return (
    <Panel
      title={t('Trash and history')}
      lead={t('How long deleted records and removed files can be restored, and changes are listed.')}
    >
      {error && !data && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} radius="sm" />}
      {data && <TrashForm saved={data} />}
    </Panel>
  )
}

type Settings = z.output<(typeof changeTrashSettings)['response']>

type Edited = { readonly days?: number | string; readonly historyDays?: number | string }

const isDays = (value: number | string, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max

/** An empty field stands for an unlimited history. */
const settingsIn = (days: number | string, history: number | string): Settings | undefined => {
  if (!isDays(days, MAX_DAYS)) return undefined
  if (history === '') return { days, historyDays: null }
  return isDays(history, MAX_HISTORY_DAYS) && history >= days ? { days, historyDays: history } : undefined
}

const isShorter = (chosen: Settings, saved: Settings): boolean =>
  chosen.days < saved.days || (chosen.historyDays ?? Infinity) < (saved.historyDays ?? Infinity)

function TrashForm({ saved }: { readonly saved: Settings }) {
  const queryClient = useQueryClient()
  const isOwner = useUser()?.roles.some(({ id }) => id === OWNER) === true
  const [edited, setEdited] = useState<Edited>({})
  const { days = saved.days, historyDays = saved.historyDays ?? '' } = edited
  const chosen = settingsIn(days, historyDays)
  const isChanged = days !== saved.days || historyDays !== (saved.historyDays ?? '')
  const change = useMutation({
    mutationFn: (wanted: Settings) => call(changeTrashSettings, { body: wanted }),
    onSuccess(stored) {
      queryClient.setQueryData(queryKeys.trashSettings, stored)
      void queryClient.invalidateQueries({ queryKey: queryKeys.trash })
      setEdited({})
      setIsAsking(false)
      notify.success(t('Settings saved.'))
    },
  })
  const [isAsking, setIsAsking] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!chosen || !isChanged || change.isPending) return
    if (isShorter(chosen, saved)) setIsAsking(true)
    else change.mutate(chosen)
  }
  const description = isOwner ? undefined : t('Only owners can change this.')
  const shared = { className: 'storage-limit', min: 1, allowDecimal: false, disabled: !isOwner, description } as const
  return (
    <form onSubmit={submit} className="storage" noValidate>
      <FailureNotice error={change.error} />
      <WithHelp setting="trash-days">
        <NumberInput
          {...shared}
          label={t('Days in the trash')}
          max={MAX_DAYS}
          value={days}
          onChange={(value) => setEdited({ ...edited, days: value })}
          error={isDays(days, MAX_DAYS) ? undefined : t('Enter a number of days from 1 to 3,650.')}
        />
      </WithHelp>
      <WithHelp setting="history-days">
        <NumberInput
          {...shared}
          label={t('Days in the history')}
          placeholder={t('Unlimited')}
          max={MAX_HISTORY_DAYS}
          value={historyDays}
          onChange={(value) => setEdited({ ...edited, historyDays: value })}
          error={
            chosen || !isDays(days, MAX_DAYS)
              ? undefined
              : t('Enter at least as many days as in the trash, or leave it empty.')
          }
        />
      </WithHelp>
      <div className="storage-actions">
        <Button type="submit" variant="filled" disabled={!isChanged || !chosen} loading={change.isPending}>
          {t('Save')}
        </Button>
        {isChanged && <Button onClick={() => setEdited({})}>{t('Discard')}</Button>}
      </div>
      <ConfirmShorter
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        isBusy={change.isPending}
        onConfirm={() => chosen && change.mutate(chosen)}
      />
    </form>
  )
}

const ConfirmShorter = (props: Pick<ConfirmDialogProps, 'isOpen' | 'onClose' | 'isBusy' | 'onConfirm'>) => (
  <ConfirmDialog {...props} title={t('Delete older records and changes permanently?')} actionLabel={t('Save')}>
    {t('What is older than the new limits will be deleted permanently. This can’t be undone.')}
  </ConfirmDialog>
)
