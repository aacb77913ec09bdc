import { useQuery, usePrefetchQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspaceTitle } from '#web/data/session/branding.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { pagesFor, SETTINGS_PAGES } from '#web/shared/navigation/app-pages.ts'
import { useCan } from '#web/data/authorization/use-can.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { CollectionSidebar, SidebarSkeleton } from '#web/features/schema/sidebar/collection-sidebar.tsx'
import { dashboardsQuery } from '#web/features/dashboards/dashboard-queries.ts'
import { DashboardSidebar } from '#web/features/dashboards/dashboard-sidebar.tsx'
import { FavoriteList } from '#web/features/schema/sidebar/favorite-list.tsx'
import { commands } from '#web/ui/shortcuts/commands.ts'
import { IconHome, IconTableImport, IconUserPlus } from '#web/ui/icons/frame.ts'
import { IconHistory, IconTrash } from '#web/ui/icons/general.ts'
import { IconSettings } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'
import { BrandMark } from '#web/pages/guest/guest-frame.tsx'
import './sidebar.css'

type SidebarProps = {
  readonly children?: ReactNode
}

export function Sidebar({ children }: SidebarProps) {
  const mayImport = useCan('records:import')
  const mayInvite = useCan('users:manage')
  const mayRead = useCan('records:read')
  const settings = pagesFor(SETTINGS_PAGES, useUser()?.scope ?? [])[0]?.to
  return (
    <nav className="sidebar" aria-label={t('Workspace')}>
      <Link to={sessionConfig.routes.home} className="sidebar-brand">
        <BrandMark sizePx={24} />
        <span className="sidebar-brand-name" dir="auto">
          {useWorkspaceTitle()}
        </span>
      </Link>
      <ul className="sidebar-list">
        <SidebarLink to={sessionConfig.routes.home} icon={<IconHome size={18} stroke={1.5} />}>
          {t('Home')}
        </SidebarLink>
      </ul>
      <div className="sidebar-collections">
        <FavoriteList />
        <SidebarLists />
      </div>
      <ul className="sidebar-list">
        {mayInvite && (
          <li>
            <button type="button" className="sidebar-link" onClick={() => commands.run('invite')}>
              <IconUserPlus size={18} stroke={1.5} />
              <span>{t('Invite people')}</span>
            </button>
          </li>
        )}
        {mayImport && (
          <SidebarLink to="/import" icon={<IconTableImport size={18} stroke={1.5} />}>
            {t('Import CSV')}
          </SidebarLink>
        )}
        {mayRead && (
          <SidebarLink to="/activity" icon={<IconHistory size={18} stroke={1.5} />}>
            {t('Activity')}
          </SidebarLink>
        )}
        {mayRead && (
          <SidebarLink to="/trash" icon={<IconTrash size={18} stroke={1.5} />}>
            {t('Trash')}
          </SidebarLink>
        )}
        {settings !== undefined && (
          <SidebarLink to={settings} icon={<IconSettings size={18} stroke={1.5} />}>
            {t('Settings')}
          </SidebarLink>
        )}
      </ul>
      {children}
    </nav>
  )
}

/** Dashboards come before collections, so both wait for them: collections that are already there would move. */
function SidebarLists() {
  const mayRead = useCan('records:read')
  usePrefetchQuery(collectionsQuery)
  const { isPending } = useQuery({ ...dashboardsQuery, enabled: mayRead })
  if (mayRead && isPending) return <SidebarSkeleton />
  return (
    <>
      {mayRead && <DashboardSidebar />}
      <CollectionSidebar />
    </>
  )
}

type SidebarLinkProps = {
  readonly to: NonNullable<LinkProps['to']>
  readonly icon: ReactNode
  readonly children: ReactNode
}

function SidebarLink({ to, icon, children }: SidebarLinkProps) {
  return (
    <li>
      <Link to={to} className="sidebar-link" activeOptions={{ exact: true, includeSearch: false }}>
        {icon}
        <span>{children}</span>
      </Link>
    </li>
  )
}
