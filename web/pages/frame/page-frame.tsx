import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useUser } from '#web/data/session/use-session.ts'
import { t } from '#web/i18n/t.ts'
import { usePageTitle } from '#web/shared/navigation/app-link.tsx'
import { ACCOUNT_PAGES, type AppPage, pagesFor, SETTINGS_PAGES } from '#web/shared/navigation/app-pages.ts'
import '#web/ui/layout/tab-links.css'
import './fact-list.css'
import './page-frame.css'
import './section-nav.css'

type PageFrameProps = {
  readonly title: string
  /** The page title, if the heading is a greeting. */
  readonly name?: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  /** `narrow` for forms and text, `middle` for settings, `wide` for tables, `full` for the whole width. */
  readonly width?: 'narrow' | 'middle' | 'wide' | 'full'
  readonly children: ReactNode
}

export function PageFrame({ title, name = title, lead, actions, width = 'narrow', children }: PageFrameProps) {
  usePageTitle(name)
  return (
    <div className="page-frame" data-width={width}>
      <header className="page-frame-head">
        <div data-tour="page-title">
          <h1>{title}</h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && (
          <div className="page-frame-actions" data-tour="page-actions">
            {actions}
          </div>
        )}
      </header>
      {children}
    </div>
  )
}

/** `mark`: the anchor that the command palette links to. */
type Fact = { readonly name: string; readonly value: ReactNode; readonly mark?: string }

type FactListProps = { readonly facts: readonly Fact[] }

export function FactList({ facts }: FactListProps) {
  return (
    <dl className="fact-list">
      {facts.map(({ name, value, mark }) => (
        <div key={name} data-tour={mark}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export const AccountNav = () => <SectionNav label={t('Account')} places={ACCOUNT_PAGES} />

/** Links to the settings pages that the user can open. */
export function SettingsNav() {
  const scope = useUser()?.scope ?? []
  return <SectionNav label={t('Settings')} places={pagesFor(SETTINGS_PAGES, scope)} />
}

/** Width of the previous link that stays visible, as a hint that the list can be scrolled. */
const EDGE_PX = 48

type SectionNavProps = { readonly label: string; readonly places: readonly AppPage[] }

function SectionNav({ label, places }: SectionNavProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // On a narrow screen, the current page may be scrolled out of view.
    const here = list.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (list.current && here) list.current.scrollLeft = here.offsetLeft - list.current.offsetLeft - EDGE_PX
  }, [])
  return (
    <nav className="section-nav tab-links" data-tour="section-nav" aria-label={label}>
      <ul ref={list}>
        {places.map(({ to, name }) => (
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
