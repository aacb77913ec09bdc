import {
  Outlet,
  type RouteComponent,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
} from '@tanstack/react-router'
import { sessionConfig, sessionState, whenSettled } from '#web/data/session/session-state.ts'
import { LogoutPage } from '#web/pages/guest/logout-page.tsx'
import { ErrorScreen, NotFoundScreen } from './error-screens.tsx'
import { lazyComponent, lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { ComponentType } from 'react'
import type { Permission } from '#domain/access/permission.ts'
import { useCan } from '#web/data/authorization/use-can.ts'
import { AccessDeniedScreen } from '#web/pages/frame/error-pages.tsx'
import { Loader } from '@mantine/core'
import { useIsReachable } from '#web/data/session/use-session.ts'
import { t } from '#web/i18n/t.ts'
import { BrandMark } from '#web/pages/guest/guest-frame.tsx'
import './splash.css'
import type * as Prefetch from './prefetch.ts'
import { confirmSession } from '#web/data/api/call.ts'
import { openedLinks } from '#web/features/auth/account-links/opened-link.ts'
import { rememberReturn, takeReturn } from '#web/features/auth/sign-in/return-path.ts'

/** The page for setting up a required second factor. */
const SECOND_FACTOR_PAGE = '/account/second-factor'

type PlainSearch = { readonly [name: string]: string | undefined }

function partsOf(path: string) {
  const { pathname, searchParams, hash } = new URL(path, window.location.origin)
  return { to: pathname, search: Object.fromEntries(searchParams), hash: hash.slice(1) }
}

type Visit = { readonly location: { readonly href: string }; readonly preload: boolean }

/**
 * Requires a session on all pages except public ones, and remembers the requested page. If the session can't be
 * verified at the moment, the page is shown, because the server checks every request.
 */
async function requireSession({ location, preload }: Visit): Promise<void> {
  // Prefetching a hovered link isn't worth a token refresh.
  const { status, user } = preload ? await whenSettled(sessionState) : await confirmSession()
  if (status === 'signed-in') {
    if (user?.needs_second_factor === true) redirect({ to: SECOND_FACTOR_PAGE, replace: true, throw: true })
    return
  }
  const wanted = preload ? undefined : rememberReturn(location.href)
  redirect({ to: sessionConfig.routes.login, search: { return: wanted }, replace: true, throw: true })
}

/** For the page that sets up a required second factor; redirects users who already have one to the home page. */
async function requireMissingFactor(visit: Visit): Promise<void> {
  const { user } = visit.preload ? await whenSettled(sessionState) : await confirmSession()
  if (user?.needs_second_factor === true) return
  redirect({ to: sessionConfig.routes.home, replace: true, throw: true })
}

type GuestVisit = {
  readonly search: PlainSearch
  readonly location: { readonly pathname: string }
  readonly preload: boolean
}

/**
 * For guest pages: redirects signed-in users to the requested page or the home page. Pages opened from email links stay
 * open until the user responds.
 */
async function requireGuest({ search, location, preload }: GuestVisit): Promise<void> {
  const { status } = await whenSettled(sessionState)
  if (status !== 'signed-in' || preload) return
  openedLinks.keep(location.pathname, search['code'])
  redirect({ ...partsOf(takeReturn(search['return'])), replace: true, throw: true })
}

/** Prefetches a page's first queries when its link is hovered or focused. */
function readAhead(isResting: boolean, read: (prefetch: typeof Prefetch) => Promise<void>): void {
  // If the code fails to load, navigating to the page shows the error.
  if (isResting) void import('./prefetch.ts').then(read, () => undefined)
}

const rootRoute = createRootRoute({
  // Each page validates its own search parameters.
  validateSearch: (search): PlainSearch => search as PlainSearch,
  component: Outlet,
  notFoundComponent: NotFoundScreen,
})

const guestRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'guest-only',
  beforeLoad: requireGuest,
  pendingComponent: Splash,
})

const openRoute = createRoute({ getParentRoute: () => rootRoute, id: 'open' })

const Shell = lazyComponent(() => import('./frame/shell.tsx'), 'Shell')

/** Default parent route: pages require a session unless they are marked as public. */
const guardedRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'guarded',
  beforeLoad: requireSession,
  component: Shell,
  pendingComponent: Splash,
})

const guest = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => guestRoute, path, component })

const guarded = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => guardedRoute, path, component })

/** Redirects URLs that users might guess to the actual page. */
const shortcut = <const Path extends string>(path: Path, findPage: () => Promise<string>) =>
  createRoute({
    getParentRoute: () => guardedRoute,
    path,
    beforeLoad: async () => redirect({ to: await findPage(), replace: true, throw: true }),
  })

/** Redirects to the first settings page that the user has access to, or to their profile. */
async function firstSettingsPage(): Promise<string> {
  const { pagesFor, SETTINGS_PAGES } = await import('#web/shared/navigation/app-pages.ts')
  return pagesFor(SETTINGS_PAGES, sessionState.get().user?.scope ?? [])[0]?.to ?? '/account/profile'
}

/** Shows the page to users with this permission, and an access-denied message to others. */
const withPermission = (permission: Permission, Page: ComponentType) =>
  function PermittedPage() {
    return useCan(permission) ? <Page /> : <AccessDeniedScreen permission={permission} />
  }

const LoginPage = lazyComponent(() => import('#web/pages/guest/login-page.tsx'), 'LoginPage')
const SetupPage = lazyComponent(() => import('#web/pages/guest/setup-page.tsx'), 'SetupPage')
const ForgotPasswordPage = lazyComponent(
  () => import('#web/pages/guest/password-reset-pages.tsx'),
  'ForgotPasswordPage',
)
const ResetPasswordPage = lazyComponent(() => import('#web/pages/guest/password-reset-pages.tsx'), 'ResetPasswordPage')
const InvitationPage = lazyComponent(() => import('#web/pages/guest/invitation-page.tsx'), 'InvitationPage')
const SecondFactorPage = lazyComponent(() => import('#web/pages/guest/second-factor-page.tsx'), 'SecondFactorPage')
const CallbackPage = lazyComponent(() => import('#web/pages/guest/callback-page.tsx'), 'CallbackPage')
const HomePage = lazyComponent(() => import('#web/pages/home/home-page.tsx'), 'HomePage')
const ImportPage = lazyComponent(() => import('#web/pages/records/import-page.tsx'), 'ImportPage')
const ProfilePage = lazyComponent(() => import('#web/pages/account/profile-page.tsx'), 'ProfilePage')
const SecurityPage = lazyComponent(() => import('#web/pages/account/security-page.tsx'), 'SecurityPage')
const SessionsPage = lazyComponent(() => import('#web/pages/account/sessions-page.tsx'), 'SessionsPage')
const TokensPage = lazyComponent(() => import('#web/pages/account/tokens-page.tsx'), 'TokensPage')
const ApiDocsPage = lazyComponent(() => import('#web/pages/frame/api-docs-page.tsx'), 'ApiDocsPage')
const UsersPage = lazyComponent(() => import('#web/pages/settings/users-page.tsx'), 'UsersPage')
const RolesPage = lazyComponent(() => import('#web/pages/settings/roles-page.tsx'), 'RolesPage')
const RolePage = lazyComponent(() => import('#web/pages/settings/role-page.tsx'), 'RolePage')
const PolicyPage = lazyComponent(() => import('#web/pages/settings/role-page.tsx'), 'PolicyPage')
const OutboxPage = lazyComponent(() => import('#web/pages/settings/outbox-page.tsx'), 'OutboxPage')
const AuditPage = lazyComponent(() => import('#web/pages/settings/audit-page.tsx'), 'AuditPage')
const WorkspacePage = lazyComponent(() => import('#web/pages/settings/workspace-page.tsx'), 'WorkspacePage')
const RecordsPage = lazyComponent(() => import('#web/pages/records/records-page.tsx'), 'RecordsPage')
const CollectionSettingsPage = lazyComponent(
  () => import('#web/pages/records/collection-settings-page.tsx'),
  'CollectionSettingsPage',
)
const ActivityPage = lazyComponent(() => import('#web/pages/records/activity-page.tsx'), 'ActivityPage')
const TrashPage = lazyComponent(() => import('#web/pages/records/trash-page.tsx'), 'TrashPage')
const DashboardPage = lazyComponent(() => import('#web/pages/dashboards/dashboard-page.tsx'), 'DashboardPage')
const RecordPage = lazyComponent(() => import('#web/pages/records/record-page.tsx'), 'RecordPage')

/** Preloads the pages shown after sign-in while the user types. */
const nextPages = lazyModule(async () => {
  await Shell.load()
  await RecordsPage.load()
  await import('#web/views/cards/card-list.tsx')
  await HomePage.load()
})

function LoginRoute() {
  useLazyModule(nextPages, false)
  return <LoginPage />
}

const guestPages = guestRoute.addChildren([
  guest(sessionConfig.routes.login, LoginRoute),
  guest('/setup', SetupPage),
  guest('/forgot-password', ForgotPasswordPage),
  guest('/reset-password', ResetPasswordPage),
  guest('/invitation', InvitationPage),
])

const secondFactorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: SECOND_FACTOR_PAGE,
  beforeLoad: requireMissingFactor,
  component: SecondFactorPage,
  pendingComponent: Splash,
})

const openPages = openRoute.addChildren([
  createRoute({
    getParentRoute: () => openRoute,
    path: sessionConfig.routes.logout,
    // Not lazy-loaded, because signing out must work offline.
    component: LogoutPage,
  }),
  createRoute({
    getParentRoute: () => openRoute,
    path: sessionConfig.routes.callback,
    component: CallbackPage,
  }),
])

const guardedPages = guardedRoute.addChildren([
  guarded(sessionConfig.routes.home, HomePage),
  guarded('/activity', withPermission('records:read', ActivityPage)),
  guarded('/trash', withPermission('records:read', TrashPage)),
  guarded('/dashboards/$dashboard', withPermission('records:read', DashboardPage)),
  guarded('/import', withPermission('records:import', ImportPage)),
  shortcut('/account', async () => '/account/profile'),
  shortcut('/settings', firstSettingsPage),
  shortcut('/docs', async () => '/api/docs'),
  guarded('/account/profile', ProfilePage),
  guarded('/account/security', SecurityPage),
  guarded('/account/sessions', SessionsPage),
  // Requires no permission, because API tokens belong to their user.
  guarded('/settings/tokens', TokensPage),
  guarded('/api/docs', ApiDocsPage),
  guarded('/settings/users', withPermission('users:manage', UsersPage)),
  guarded('/settings/roles', withPermission('roles:manage', RolesPage)),
  guarded('/settings/roles/$role', withPermission('roles:manage', RolePage)),
  guarded('/settings/roles/policies/$policy', withPermission('roles:manage', PolicyPage)),
  guarded('/settings/outbox', withPermission('workspace:manage', OutboxPage)),
  guarded('/settings/audit', withPermission('audit:read', AuditPage)),
  guarded('/settings/workspace', withPermission('workspace:manage', WorkspacePage)),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/collections/$collection',
    loader: ({ preload, params }) => readAhead(preload, ({ prefetchList }) => prefetchList(params.collection)),
    component: RecordsPage,
  }),
  guarded('/collections/$collection/settings', CollectionSettingsPage),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/collections/$collection/$record',
    loader: ({ preload, params }) => readAhead(preload, ({ prefetchRecord }) => prefetchRecord(params)),
    component: RecordPage,
  }),
])

function printSearch(search: PlainSearch): string {
  const given = Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

export const router = createRouter({
  routeTree: rootRoute.addChildren([guestPages, openPages, secondFactorRoute, guardedPages]),
  parseSearch: (text): PlainSearch => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => printSearch(search),
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorScreen,
  defaultNotFoundComponent: NotFoundScreen,
  // Only pages that take longer than this to load show a placeholder.
  defaultPendingMs: 300,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
  scrollToTopSelectors: ['#main'],
})

declare module '@tanstack/react-router' {
  // Enables type checking of links.
  interface Register {
    router: typeof router
  }
}

/** Shown while the session or a page is loading. */
function Splash() {
  const isReachable = useIsReachable()
  return (
    <div className="splash" role="status">
      <BrandMark sizePx={40} />
      {isReachable ? (
        <Loader size="sm" type="dots" color="gray" aria-label={t('Loading…')} />
      ) : (
        <p>{t('Waiting for the server. You’ll stay signed in.')}</p>
      )}
    </div>
  )
}
