import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { toCallError } from '#web/data/api/call-error.ts'
import { AddItem } from '#web/features/dashboards/add-item.tsx'
import { DashboardMenu } from '#web/features/dashboards/dashboard-menu.tsx'
import { dashboardQuery } from '#web/features/dashboards/dashboard-queries.ts'
import { DashboardTiles } from '#web/features/dashboards/dashboard-tiles.tsx'
import { t } from '#web/i18n/t.ts'
import { NotFoundPage } from '#web/pages/frame/error-pages.tsx'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import { IconLayoutDashboard } from '#web/ui/icons/frame.ts'

/** Saved charts and lists on one page. */
export function DashboardPage() {
  const { dashboard: id = '' } = useParams({ strict: false })
  const { data: dashboard, error, refetch } = useQuery(dashboardQuery(id))
  // Also a dashboard that is shown is deleted or made private by others.
  if (toCallError(error)?.code === 'not-found') return <NotFoundPage />
  if (!dashboard) {
    return (
      <PageFrame title={t('Dashboard')} width="full">
        {error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : <Skeleton height={340} />}
      </PageFrame>
    )
  }
  const { name, isShared, owner, items, mayChange } = dashboard
  return (
    <PageFrame
      title={name}
      width="full"
      lead={isShared ? t('Shared by {name}', { name: owner.name }) : t('Private: only you can see it')}
      actions={
        mayChange && (
          <>
            <AddItem dashboard={dashboard} />
            <DashboardMenu dashboard={dashboard} />
          </>
        )
      }
    >
      {items.length === 0 ? (
        <EmptyState
          icon={IconLayoutDashboard}
          text={
            mayChange
              ? t('Nothing here yet. Add saved views: charts, and lists with their first records.')
              : t('Nothing here yet')
          }
        />
      ) : (
        <DashboardTiles dashboard={dashboard} />
      )}
    </PageFrame>
  )
}
