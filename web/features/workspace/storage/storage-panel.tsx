import { Button, NumberInput, Progress, Skeleton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { changeStorage, readStorage } from '#api/workspace.ts'
import { call } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { formatBytes } from '#web/ui/text/format-numbers.ts'
import { Panel } from '#web/ui/layout/panel.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { Say } from '#web/i18n/say.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import { draftOf, quotaError, quotaOf, shareOf, type Storage } from './storage-draft.ts'
import './storage-panel.css'

export function StoragePanel() {
  const {
    data: storage,
    error,
    refetch,
  } = useQuery({ queryKey: queryKeys.storage, queryFn: ({ signal }) => call(readStorage, { signal }) })
  return (
    <Panel
      mark="storage"
      title={t('Files')}
      lead={t('Storage used by files in this workspace. Uploads above the limit are rejected.')}
    >
      {error && !storage && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!storage && !error && <Skeleton height={160} radius="sm" />}
      {storage && <StorageForm storage={storage} />}
    </Panel>
  )
}

function StorageForm({ storage }: { readonly storage: Storage }) {
  const queryClient = useQueryClient()
  const [edited, setEdited] = useState<string | number>()
  const draft = edited ?? draftOf(storage.quotaBytes)
  const fault = quotaError(draft)
  const isChanged = quotaOf(draft) !== storage.quotaBytes
  const change = useMutation({
    mutationFn: (quotaBytes: number | null) => call(changeStorage, { body: { quotaBytes } }),
    onSuccess(saved) {
      queryClient.setQueryData(queryKeys.storage, saved)
      void queryClient.invalidateQueries({ queryKey: queryKeys.audit })
      setEdited(undefined)
      const { quotaBytes } = saved
      notify.success(
        quotaBytes === null
          ? t('No storage limit.')
          : t('Storage limit: {quotaBytes}.', { quotaBytes: formatBytes(quotaBytes) }),
      )
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (fault === undefined && isChanged && !change.isPending) change.mutate(quotaOf(draft))
  }
  return (
    <form onSubmit={submit} className="storage" noValidate>
      <Usage storage={storage} />
      {change.error && <FailureNotice error={change.error} />}
      <WithHelp setting="storage-limit">
        <NumberInput
          className="storage-limit"
          label={t('Storage limit (GB)')}
          description={t('Existing files are kept even if they exceed the limit.')}
          placeholder={t('No limit')}
          allowNegative={false}
          value={draft}
          error={fault}
          onChange={setEdited}
        />
      </WithHelp>
      <div className="storage-actions">
        <Button type="submit" variant="filled" disabled={!isChanged} loading={change.isPending}>
          {t('Save limit')}
        </Button>
        {isChanged && <Button onClick={() => setEdited(undefined)}>{t('Discard')}</Button>}
      </div>
    </form>
  )
}

function Usage({ storage }: { readonly storage: Storage }) {
  const { usedBytes, reservedBytes, quotaBytes } = storage
  const share = shareOf(storage)
  const used = <strong>{formatBytes(usedBytes)}</strong>
  return (
    <div className="storage-usage">
      <p>
        {quotaBytes === null ? (
          <Say text="{used} used" values={{ used }} />
        ) : (
          <Say text="{used} of {quota} used" values={{ used, quota: formatBytes(quotaBytes) }} />
        )}
        {reservedBytes > 0 && `, ${t('plus {bytes} uploading', { bytes: formatBytes(reservedBytes) })}`}
      </p>
      {share !== undefined && (
        <Progress value={share} size="sm" color={share >= 100 ? 'danger' : 'primary'} aria-label={t('Storage used')} />
      )}
      {share !== undefined && share >= 100 && (
        <p className="storage-full">{t('Storage limit reached. No more files can be added.')}</p>
      )}
    </div>
  )
}
