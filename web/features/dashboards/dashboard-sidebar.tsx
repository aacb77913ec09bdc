import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '#web/i18n/t.ts'
import { IconLayoutDashboard, IconPlus } from '#web/ui/icons/frame.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { dashboardsQuery, useCreateDashboard } from './dashboard-queries.ts'
import './dashboard-sidebar.css'

const naming = lazyModule(() => import('./dashboard-name-dialog.tsx'))

export function DashboardSidebar() {
  const { data } = useQuery(dashboardsQuery)
  const creating = useCreateDashboard()
  const navigate = useNavigate()
  const [isNaming, setNaming] = useState(false)
  const { DashboardNameDialog } = useLazyModule(naming, isNaming) ?? {}
  if (!data || (data.items.length === 0 && !data.mayCreate)) return null
  const create = (name: string) =>
    creating.mutate(name, {
      onSuccess: ({ id }) => {
        setNaming(false)
        void navigate({ to: '/dashboards/$dashboard', params: { dashboard: id } })
      },
    })
  return (
    <section className="dashboard-sidebar" aria-labelledby="dashboard-sidebar-title">
      <div className="collection-sidebar-head">
        <h2 id="dashboard-sidebar-title">{t('Dashboards')}</h2>
        {data.mayCreate && (
          <ActionIcon
            size="xs"
            title={t('New dashboard')}
            aria-label={t('New dashboard')}
            onClick={() => setNaming(true)}
          >
            <IconPlus size={16} stroke={1.5} />
          </ActionIcon>
        )}
      </div>
      <ul className="sidebar-list">
        {data.items.map(({ id, name }) => (
          <li key={id}>
            <Link
              to="/dashboards/$dashboard"
              params={{ dashboard: id }}
              className="sidebar-link"
              activeOptions={{ exact: true, includeSearch: false }}
            >
              <IconLayoutDashboard size={18} stroke={1.5} aria-hidden />
              <span>{name}</span>
            </Link>
          </li>
        ))}
      </ul>
      {DashboardNameDialog && (
        <DashboardNameDialog
          isOpen={isNaming}
          title={t('New dashboard')}
          label={t('Create dashboard')}
          isBusy={creating.isPending}
          error={creating.error}
          onName={create}
          onClose={() => setNaming(false)}
        />
      )}
    </section>
  )
}
