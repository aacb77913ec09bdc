import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ACCOUNT_PAGES, type AppPage, pagesFor, SETTINGS_PAGES } from '#web/shared/navigation/app-pages.ts'
import { useUser } from '#web/data/session/use-session.ts'
import '#web/ui/layout/tab-links.css'
import { t } from '#web/i18n/t.ts'
import './section-nav.css'

export const AccountNav = () => <SectionNav label={t('Account')} places={ACCOUNT_PAGES} />

/** Only pages the user can open. */
export function SettingsNav() {
  const scope = useUser()?.scope ?? []
  return <SectionNav label={t('Settings')} places={pagesFor(SETTINGS_PAGES, scope)} />
}

/** Visible part of the previous link, to indicate scrolling. */
const EDGE_PX = 48

type SectionNavProps = { readonly label: string; readonly places: readonly AppPage[] }

function SectionNav({ label, places }: SectionNavProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // On a narrow screen the current page may be scrolled out.
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
