import { ActionIcon, CloseButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useCan } from '#web/data/authorization/use-can.ts'
import { useUser } from '#web/data/session/use-session.ts'
import type { UploadsSnapshot } from '#web/data/uploads/upload-types.ts'
import { blockStrayDrops, pollServerVersion, prepareOffline } from './shell-effects.ts'
import { hasUnsent, loadUnsent, unsentState } from '#web/data/unsent/unsent-state.ts'
import { uploads } from '#web/data/uploads/uploads.ts'
import { AccountMenu } from './account-menu.tsx'
import { LinkPrompt, ReauthenticationPrompt } from '#web/features/auth/prompts.tsx'
import { Tours } from '#web/features/tours/tours.tsx'
import { t } from '#web/i18n/t.ts'
import { FilePreview } from '#web/shared/files/file-preview.tsx'
import { useLateScroll } from '#web/shared/navigation/late-scroll.ts'
import { useCurrentPageTitle } from '#web/shared/navigation/app-link.tsx'
import { IconBell, IconMenu2, IconQuestionMark, IconUserPlus } from '#web/ui/icons/frame.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import { useStore } from '#web/ui/store.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { Commands } from './command-palette.tsx'
import './shell.css'
import { SidebarColumn, SidebarOpener, useSidebarState } from './sidebar-column.tsx'
import './sidebar-drawer.css'
import { Sidebar } from './sidebar.tsx'

/** Maximum time in ms to wait for the target to appear. */
const MAX_WAIT_MS = 10_000

/** Finds the hash target by its `data-tour` attribute or ID. */
function partOf(name: string): HTMLElement | null {
  const quoted = CSS.escape(name)
  const found = document.querySelector<HTMLElement>(`[data-tour="${quoted}"], #${quoted}`)
  return found?.matches('h2') === true ? found.closest('section') : found
}

function nameOf(part: HTMLElement): string {
  const label = part instanceof HTMLInputElement ? part.labels?.[0] : part.querySelector('h2')
  return part.getAttribute('aria-label') ?? (label ?? part).textContent
}

/** Scrolls to an element, focuses it and outlines it until focus moves. */
function scrollAndFocus(part: HTMLElement): void {
  if (!part.matches('button, a, input')) part.tabIndex = -1
  part.dataset['arrived'] = ''
  part.addEventListener('blur', () => delete part.dataset['arrived'], { once: true })
  part.scrollIntoView({ block: 'start' })
  part.focus({ preventScroll: true })
}

/** Scrolls to the section in the URL hash once it exists; returns its name to be announced. */
function useScrollToHash(): string {
  const { pathname, hash } = useLocation()
  const place = `${pathname}#${hash}`
  const [arrived, setArrived] = useState({ place: '', name: '' })
  useEffect(() => {
    if (hash === '') return undefined
    const arrive = () => {
      const part = partOf(hash)
      // The target is hidden and can't be focused while content above it is loading.
      if (!part?.checkVisibility({ visibilityProperty: true })) return
      stop()
      scrollAndFocus(part)
      setArrived({ place, name: nameOf(part) })
    }
    const observer = new MutationObserver(arrive)
    const stop = () => {
      observer.disconnect()
      clearTimeout(timer)
    }
    const timer = setTimeout(() => observer.disconnect(), MAX_WAIT_MS)
    observer.observe(document.body, { childList: true, subtree: true })
    arrive()
    return stop
  }, [place, hash])
  return arrived.place === place ? arrived.name : ''
}

const panel = lazyModule(() => import('#web/features/help/help-panel.tsx'))
const keys = lazyModule(() => import('#web/features/shortcuts/shortcut-groups.ts'))

type HelpProps = {
  readonly isNarrow: boolean
  readonly place: HTMLElement | null
}

function Help({ isNarrow, place }: HelpProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  /** Focus returns to the help button, unless a tour starts. */
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const { HelpPanel } = useLazyModule(panel, isOpen) ?? {}
  const { shortcutGroups } = useLazyModule(keys, isOpen) ?? {}
  useCommand({
    id: 'help',
    label: t('Help'),
    about: 'app',
    alsoCalled: t('Tour, tutorial, guide, manual, documentation, support'),
    icon: IconQuestionMark,
    run: () => setOpen(true),
  })
  return (
    <>
      <ActionIcon
        ref={button}
        data-tour="help"
        aria-label={t('Help')}
        aria-expanded={isOpen}
        aria-controls="help-panel"
        onClick={() => setOpen(!isOpen)}
      >
        <IconQuestionMark size={20} stroke={1.5} aria-hidden />
      </ActionIcon>
      {isOpen &&
        place &&
        HelpPanel &&
        shortcutGroups &&
        createPortal(<HelpPanel isWhole={isNarrow} keys={shortcutGroups()} onClose={close} />, place)}
    </>
  )
}

type SidebarDrawerProps = {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly label: string
  readonly children: ReactNode
}

/** The sidebar on small screens: a native dialog, which traps focus and restores it. */
function SidebarDrawer({ isOpen, onClose, label, children }: SidebarDrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])

  return (
    <dialog ref={dialog} className="drawer" aria-label={label} onClose={onClose} closedby="any">
      {isOpen && (
        <>
          <CloseButton className="drawer-close" aria-label={t('Close navigation')} onClick={onClose} />
          {children}
        </>
      )}
    </dialog>
  )
}

const inviteDialog = lazyModule(() => import('#web/features/users/invite-dialog.tsx'))

function Invite() {
  const mayInvite = useCan('users:manage')
  const [isOpen, setIsOpen] = useState(false)
  const { InviteDialog } = useLazyModule(inviteDialog, isOpen) ?? {}
  useCommand(
    mayInvite && {
      id: 'invite',
      label: t('Invite people'),
      about: 'create',
      alsoCalled: t('Invite a user or member, add a colleague'),
      icon: IconUserPlus,
      run: () => setIsOpen(true),
    },
  )
  return InviteDialog ? <InviteDialog isOpen={isOpen} onClose={() => setIsOpen(false)} /> : null
}

const pastToasts = lazyModule(() => import('#web/ui/toast/past-toasts.tsx'))

function Notifications() {
  const [isOpen, setIsOpen] = useState(false)
  const { ToastHistoryList } = useLazyModule(pastToasts, isOpen) ?? {}
  useCommand({
    id: 'notifications',
    label: t('Recent notifications'),
    about: 'app',
    alsoCalled: t('Notifications, messages, undo'),
    icon: IconBell,
    run: () => setIsOpen(true),
  })
  return ToastHistoryList ? <ToastHistoryList isOpen={isOpen} onClose={() => setIsOpen(false)} /> : null
}

const uploadsButton = lazyModule(() => import('./uploads-button.tsx'))

/** Mounted in the frame, so that uploads continue during navigation; loaded when the first file is added. */
function Uploads() {
  const shown = useStore(uploads)
  useEffect(() => uploads.goOn(), [])
  useEffect(() => {
    prepareOffline()
    if (hasUnsent()) void loadUnsent()
  }, [])
  useEffect(blockStrayDrops, [])
  useEffect(pollServerVersion, [])
  return shown.jobs.length + shown.doneFiles > 0 ? <LazyUploadsButton shown={shown} /> : null
}

/** Shows the sync result of records created offline. */
function NewRecordsBar() {
  const hasAny = useStore(unsentState).records.length > 0
  const { UnsentBar } = useLazyModule(sessionBars, hasAny) ?? {}
  return hasAny && UnsentBar ? <UnsentBar /> : null
}

function LazyUploadsButton({ shown }: { readonly shown: UploadsSnapshot }) {
  const { UploadsButton } = useLazyModule(uploadsButton, false) ?? {}
  return UploadsButton ? <UploadsButton shown={shown} /> : null
}

const jobsButton = lazyModule(() => import('#web/features/bulk/jobs-button.tsx'))

function Jobs() {
  const { JobsButton } = useLazyModule(jobsButton, false) ?? {}
  return JobsButton ? <JobsButton /> : null
}

/** Width in px below which the sidebar doesn't fit next to a page. Also defined in shell.css. */
const NARROW = '(width < 56rem)'

const sessionBars = lazyModule(() => import('./session-bars.tsx'))

/** Undefined unless impersonating. */
function useImpersonation(): string | undefined {
  const user = useUser()
  return user?.view_as?.is_on === true ? user.name : undefined
}

/** Loaded immediately, before the rest of the page. */
function ImpersonationNotice({ name }: { readonly name: string }) {
  const { ImpersonationBar } = useLazyModule(sessionBars, true) ?? {}
  return ImpersonationBar ? <ImpersonationBar name={name} /> : null
}

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
      {/* Tours are hidden during impersonation, because their progress is stored in the user's account. */}
      {seenAs === undefined && <Tours />}
      <FilePreview />
      <Notifications />
      <Invite />
      <ReauthenticationPrompt />
      <LinkPrompt />
    </>
  )
}

export function Frame({ children }: { readonly children: ReactNode }) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const frame = useSidebarState(isNarrow)
  const [isOpen, setIsOpen] = useState(false)
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const { pathname } = useLocation()
  useEffect(() => setIsOpen(false), [pathname])
  useLateScroll('main')

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
          <NewRecordsBar />
          <Jobs />
          <Help isNarrow={isNarrow === true} place={place} />
          <AccountMenu />
        </header>
        <main id="main" className="shell-main" tabIndex={-1} data-scroll-restoration-id="main">
          {children}
        </main>
      </div>
      <HashTarget />
    </div>
  )
}

/** After navigation, announces the page and moves focus to it; otherwise the document would have focus. */
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
