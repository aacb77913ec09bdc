import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useCurrentPageTitle } from '#web/shared/navigation/page-title.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { AccountMenu } from '#web/features/account-menu/account-menu.tsx'
import { LinkPrompt } from '#web/features/auth/account-links/link-prompt.tsx'
import { ReauthenticationPrompt } from '#web/features/auth/reauthentication/reauthentication-prompt.tsx'
import { FilePreview } from '#web/shared/files/file-preview.tsx'
import { Tours } from '#web/features/tours/tours.tsx'
import { IconMenu2 } from '#web/ui/icons/frame.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.ts'
import { t } from '#web/i18n/t.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { Commands } from './overlays/command-palette.tsx'
import { SidebarDrawer } from './sidebar-drawer.tsx'
import { Help } from './overlays/help.tsx'
import { Invite } from './overlays/invite.tsx'
import { Jobs } from './overlays/jobs.tsx'
import { Notifications } from './overlays/notifications.tsx'
import './shell.css'
import { SidebarColumn, SidebarOpener } from './sidebar-column.tsx'
import { Sidebar } from './sidebar.tsx'
import { useScrollToHash } from './use-scroll-to-hash.ts'
import { useSidebarState } from './use-sidebar-state.ts'
import { Uploads } from './overlays/uploads.tsx'

/** Below this the sidebar no longer fits beside a page. Also in shell.css. */
const NARROW = '(width < 56rem)'

const viewAsBar = lazyModule(() => import('./bars/impersonation-bar.tsx'))

/** As whom whoever is signed in looks at the product; undefined: as themselves. */
function useImpersonation(): string | undefined {
  const user = useUser()
  return user?.view_as?.is_on === true ? user.name : undefined
}

/** Whoever looks as somebody else is told so before anything else is on the page. */
function ImpersonationNotice({ name }: { readonly name: string }) {
  const { ImpersonationBar } = useLazyModule(viewAsBar, true) ?? {}
  return ImpersonationBar ? <ImpersonationBar name={name} /> : null
}

/** The frame of every page for those who are signed in: sidebar, header, the page. */
export function Shell() {
  const seenAs = useImpersonation()
  return (
    <>
      <div className="shell-whole">
        {seenAs !== undefined && <ImpersonationNotice name={seenAs} />}
        <Frame>
          <Outlet />
        </Frame>
      </div>
      {/* What one has seen of them is kept with one's own account. */}
      {seenAs === undefined && <Tours />}
      <FilePreview />
      <Notifications />
      <Invite />
      <ReauthenticationPrompt />
      <LinkPrompt />
    </>
  )
}

/** The frame by itself, around whatever it is given. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const frame = useSidebarState(isNarrow)
  const [isOpen, setIsOpen] = useState(false)
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const { pathname } = useLocation()
  useEffect(() => setIsOpen(false), [pathname])

  return (
    <div className="shell" ref={setPlace}>
      <a className="shell-skip" href="#main">
        {t('Skip to content')}
      </a>
      {isNarrow ? (
        <SidebarDrawer isOpen={isOpen} onClose={() => setIsOpen(false)} label={t('Navigation')}>
          <Sidebar />
        </SidebarDrawer>
      ) : (
        <SidebarColumn frame={frame} />
      )}
      <div className="shell-page">
        <header className="shell-head">
          {isNarrow && (
            <ActionIcon
              data-tour="navigation"
              aria-label={t('Open navigation')}
              aria-expanded={isOpen}
              onClick={() => setIsOpen(true)}
            >
              <IconMenu2 size={20} stroke={1.5} />
            </ActionIcon>
          )}
          {!isNarrow && <SidebarOpener frame={frame} />}
          <Breadcrumbs />
          <Commands />
          <Uploads />
          <Jobs />
          <Help isNarrow={isNarrow === true} place={place} />
          <AccountMenu />
        </header>
        <main id="main" className="shell-main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <HashTarget />
    </div>
  )
}

/**
 * Tells a screen reader where one has arrived, and takes the keyboard there: a link that was followed is gone with its
 * page, and focus would fall back to the top of the document.
 */
function HashTarget() {
  const title = useCurrentPageTitle()
  const part = useScrollToHash()
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isLost) document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <div className="visually-hidden" aria-live="polite">
      {part === '' ? title : `${title}: ${part}`}
    </div>
  )
}
