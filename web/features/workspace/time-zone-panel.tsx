import { Button, Skeleton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { changeTimeZone } from '#api/workspace.ts'
import { OWNER } from '#domain/access/policy.ts'
import { call } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { timeZoneQuery } from '#web/data/queries/workspace-queries.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'
import { Panel } from '#web/ui/layout/panel.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import './storage-panel.css'

export function TimeZonePanel() {
  const { data, error, refetch } = useQuery(timeZoneQuery)
  return (
    <Panel
      title={t('Time zone')}
      lead={t(
        'Role permissions, validation rules and transitions use this time zone for @today. Filters use each person’s own time zone.',
      )}
    >
      {error && !data && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={80} radius="sm" />}
      {data && <TimeZoneForm timeZone={data.timeZone} />}
    </Panel>
  )
}

function TimeZoneForm({ timeZone }: { readonly timeZone: string }) {
  const queryClient = useQueryClient()
  const isOwner = useUser()?.roles.some(({ id }) => id === OWNER) === true
  const [edited, setEdited] = useState<string>()
  const chosen = edited ?? timeZone
  const isChanged = chosen !== timeZone
  const change = useMutation({
    mutationFn: (wanted: string) => call(changeTimeZone, { body: { timeZone: wanted } }),
    onSuccess(saved) {
      queryClient.setQueryData(queryKeys.timeZone, saved)
      // Grants may now match different records.
      void queryClient.invalidateQueries()
      setEdited(undefined)
      notify.success(t('Time zone saved.'))
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isChanged && !change.isPending) change.mutate(chosen)
  }
  return (
    <form onSubmit={submit} className="storage" noValidate>
      <FailureNotice error={change.error} />
      <WithHelp setting="time-zone">
        <Select
          label={t('Workspace time zone')}
          data={zoneOptions(timeZone)}
          value={chosen}
          onChange={(wanted) => setEdited(wanted ?? undefined)}
          searchable
          allowDeselect={false}
          disabled={!isOwner}
          description={isOwner ? undefined : t('Only owners can change this.')}
        />
      </WithHelp>
      <div className="storage-actions">
        <Button type="submit" variant="filled" disabled={!isChanged} loading={change.isPending}>
          {t('Save time zone')}
        </Button>
        {isChanged && <Button onClick={() => setEdited(undefined)}>{t('Discard')}</Button>}
      </div>
    </form>
  )
}

/** Includes UTC and the current zone, which the browser may not support. */
const zoneOptions = (current: string): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', current])].toSorted()
