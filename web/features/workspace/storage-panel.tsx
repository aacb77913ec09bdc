import { Button, NumberInput, Progress, Skeleton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { z } from 'zod'
import { changeStorage, readStorage } from '#api/workspace.ts'
import { MAX_QUOTA_BYTES } from '#domain/uploads/quota.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Panel } from '#web/ui/layout/panel.tsx'
import { formatBytes } from '#web/ui/text/format-numbers.ts'
import { notify } from '#web/ui/toast/notify.ts'
import './storage-panel.css'

type Storage = z.output<(typeof readStorage)['response']>

/** Decimal gigabytes, as shown by file managers. */
const GIGABYTE = 1_000_000_000

/** In gigabytes; empty for no limit. */
export const draftOf = (quotaBytes: number | null): number | '' => (quotaBytes === null ? '' : quotaBytes / GIGABYTE)

/** In bytes; null for no limit. */
export const quotaOf = (typed: string | number): number | null =>
  String(typed).trim() === '' ? null : Math.round(Number(typed) * GIGABYTE)

export function quotaError(typed: string | number): string | undefined {
  const bytes = quotaOf(typed)
  if (bytes === null || (bytes >= 0 && bytes <= MAX_QUOTA_BYTES)) return undefined
  return t('Enter a number of gigabytes up to {highestQuotaBytes}, or leave empty for no limit.', {
    highestQuotaBytes: Math.floor(MAX_QUOTA_BYTES / GIGABYTE),
  })
}

/** Percentage used or reserved; undefined if there is no limit. */
export const shareOf = ({ usedBytes, reservedBytes, quotaBytes }: Storage): number | undefined =>
  quotaBytes === null
    ? undefined
    : quotaBytes === 0
      ? 100
      : Math.min(100, ((usedBytes + reservedBytes) / quotaBytes) * 100)

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
      <FailureNotice error={change.error} />
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
