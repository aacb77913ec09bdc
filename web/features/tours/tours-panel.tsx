import { Skeleton, Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { changeTours } from '#api/system.ts'
import { call } from '#web/data/api/call.ts'
import { toursQuery } from '#web/data/queries/workspace-queries.ts'
import { FailureNotice, notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import { Panel } from '#web/ui/layout/panel.tsx'

export function ToursPanel() {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(toursQuery)
  const change = useMutation({
    mutationFn: (isOn: boolean) => call(changeTours, { body: { isOn } }),
    onSuccess: ({ isOn }) => queryClient.setQueryData(toursQuery.queryKey, (known) => known && { ...known, isOn }),
    onError: notifyFailure(),
  })
  return (
    <Panel
      title={t('Tours')}
      mark="tours"
      lead={t('A short introduction to each page. Tours start only when you choose one.')}
    >
      {error && !data && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={36} radius="sm" />}
      {data && (
        <WithHelp setting="tours">
          <Switch
            label={t('Offer tours')}
            checked={change.isPending ? change.variables : data.isOn}
            onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
          />
        </WithHelp>
      )}
    </Panel>
  )
}
