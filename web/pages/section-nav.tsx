import { Link, type LinkProps } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Permission } from '#domain/access/permission.ts'
import { useUser } from '#web/client/use-session.ts'
import '#web/kit/tab-links.css'
import { t } from '#web/language/t.ts'
import './section-nav.css'

type Section = {
  readonly to: NonNullable<LinkProps['to']>
  readonly name: string
  readonly needs?: Permission
}

const ACCOUNT: readonly Section[] = [
  { to: '/account/profile', name: t('Profile') },
  { to: '/account/security', name: t('Security') },
  { to: '/account/sessions', name: t('Sessions') },
  { to: '/settings/tokens', name: t('API tokens') },
]

const SETTINGS: readonly Section[] = [
  { to: '/settings/workspace', name: t('Workspace'), needs: 'workspace:manage' },
  { to: '/settings/users', name: t('People'), needs: 'users:manage' },
  { to: '/settings/roles', name: t('Roles'), needs: 'roles:manage' },
  { to: '/settings/outbox', name: t('Outbox'), needs: 'workspace:manage' },
  { to: '/settings/audit', name: t('Audit log'), needs: 'audit:read' },
]

/** The pages of one's own account, side by side. */
export const AccountNav = () => <SectionNav label={t('Account')} sections={ACCOUNT} />

/** The pages about the workspace as a whole; only those one may open. */
export function SettingsNav() {
  const scope = useUser()?.scope ?? []
  const open = SETTINGS.filter(({ needs }) => needs === undefined || scope.includes(needs))
  return <SectionNav label={t('Settings')} sections={open} />
}

/** So much is left of what stands before it: there is more that way. */
const EDGE_PX = 48

type SectionNavProps = { readonly label: string; readonly sections: readonly Section[] }

function SectionNav({ label, sections }: SectionNavProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // On a narrow screen the page one is on may stand beyond the edge.
    const here = list.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (list.current && here) list.current.scrollLeft = here.offsetLeft - list.current.offsetLeft - EDGE_PX
  }, [])
  return (
    <nav className="section-nav tab-links" aria-label={label}>
      <ul ref={list}>
        {sections.map(({ to, name }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ includeSearch: false }}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
