import { Button } from '@mantine/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { health } from '#api/system.ts'
import { callOpenly } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { rolesQuery } from '#web/features/roles/roles-queries.ts'
import { UserAttributesPanel } from '#web/features/workspace/user-attributes-panel.tsx'
import { SecondFactorPanel } from '#web/features/workspace/second-factor-panel.tsx'
import { SessionPolicyPanel } from '#web/features/workspace/session-policy-panel.tsx'
import { StoragePanel } from '#web/features/workspace/storage-panel.tsx'
import { TrashPanel } from '#web/features/workspace/trash-panel.tsx'
import { TimeZonePanel } from '#web/features/workspace/time-zone-panel.tsx'
import { SampleProgress, useSample } from '#web/features/workspace/sample-workspace.tsx'
import { numberText } from '#web/i18n/locale.ts'
import { ToursPanel } from '#web/features/tours/tours-panel.tsx'
import { BrandingPanel } from '#web/features/workspace/branding-panel.tsx'
import { t } from '#web/i18n/t.ts'
import { FactList, PageFrame, SettingsNav } from '#web/pages/frame/page-frame.tsx'

export function WorkspacePage() {
  const about = useQuery({ queryKey: ['health'], queryFn: () => callOpenly(health) })
  const collections = useQuery(collectionsQuery)
  const roles = useQuery({ ...rolesQuery, enabled: useUser()?.scope.includes('roles:manage') === true })
  return (
    <PageFrame
      title={t('Workspace')}
      width="middle"
      lead={t('This installation hosts a single workspace. All data stays on this server.')}
    >
      <SettingsNav />
      <FactList
        facts={[
          { mark: 'version', name: t('Version'), value: valueOrUnknown(about, ({ version }) => version) },
          { name: t('URL'), value: window.location.origin },
          { name: t('Collections'), value: valueOrUnknown(collections, ({ length }) => numberText(length)) },
          { name: t('License'), value: t('Apache-2.0. No telemetry, no paid edition.') },
          {
            mark: 'sample',
            name: t('Sample workspace'),
            value: <SampleFact isEmpty={collections.data?.length === 0} />,
          },
        ]}
      />
      <BrandingPanel />
      <UserAttributesPanel />
      <TimeZonePanel />
      <StoragePanel />
      <TrashPanel />
      <SecondFactorPanel roles={roles.data?.items} />
      <SessionPolicyPanel />
      <ToursPanel />
    </PageFrame>
  )
}

/** Shows an error text if the request failed. */
function valueOrUnknown<Data>({ data, isError }: UseQueryResult<Data>, say: (data: Data) => string): string {
  if (data !== undefined) return say(data)
  return isError ? t('Couldn’t load') : '…'
}

function SampleFact({ isEmpty }: { readonly isEmpty: boolean }) {
  const { sample, load, isStarting } = useSample({ isOffered: true })
  if (sample?.state === 'running') return <SampleProgress stored={sample.recordsStored} inAll={sample.recordsInAll} />
  if (!isEmpty) return t('Only available while the workspace has no collections.')
  return (
    <Button onClick={load} loading={isStarting}>
      {t('Load the sample workspace')}
    </Button>
  )
}
