import { Outlet, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { LogoutPage } from '#web/pages/guest/logout-page.tsx'
import { ErrorScreen, NotFoundScreen } from './error-screens.tsx'
import { type PlainSearch, SECOND_FACTOR_PAGE, requireGuest, requireMissingFactor, requireSession } from './guards.ts'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
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

/** Prefetches a page's first queries when its link is hovered or focused. */
function readAhead(isResting: boolean, read: (prefetch: typeof Prefetch) => Promise<void>): void {
  // If the code can't be loaded, the page reports it.
  if (isResting) void import('./prefetch.ts').then(read, () => undefined)
}

const rootRoute = createRootRoute({
  // Pages validate their own search parameters.
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

/** The default parent, so that a forgotten mark leaves a page protected. */
const guardedRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'guarded',
  beforeLoad: requireSession,
  component: lazyComponent(() => import('./frame/shell.tsx'), 'Shell'),
  pendingComponent: Splash,
})

/** Shows a page to users with this permission, and an explanation to others. */
const withPermission = (permission: Permission, Page: ComponentType) =>
  function PermittedPage() {
    return useCan(permission) ? <Page /> : <AccessDeniedScreen permission={permission} />
  }

const guestPages = guestRoute.addChildren([
  createRoute({
    getParentRoute: () => guestRoute,
    path: sessionConfig.routes.login,
    component: lazyComponent(() => import('#web/pages/guest/login-page.tsx'), 'LoginPage'),
  }),
  createRoute({
    getParentRoute: () => guestRoute,
    path: '/setup',
    component: lazyComponent(() => import('#web/pages/guest/setup-page.tsx'), 'SetupPage'),
  }),
  createRoute({
    getParentRoute: () => guestRoute,
    path: '/forgot-password',
    component: lazyComponent(() => import('#web/pages/guest/password-reset-pages.tsx'), 'ForgotPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => guestRoute,
    path: '/reset-password',
    component: lazyComponent(() => import('#web/pages/guest/password-reset-pages.tsx'), 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => guestRoute,
    path: '/invitation',
    component: lazyComponent(() => import('#web/pages/guest/invitation-page.tsx'), 'InvitationPage'),
  }),
])

const secondFactorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: SECOND_FACTOR_PAGE,
  beforeLoad: requireMissingFactor,
  component: lazyComponent(() => import('#web/pages/guest/second-factor-page.tsx'), 'SecondFactorPage'),
  pendingComponent: Splash,
})

const openPages = openRoute.addChildren([
  createRoute({
    getParentRoute: () => openRoute,
    path: sessionConfig.routes.logout,
    // Part of the first bundle: signing out must work offline.
    component: LogoutPage,
  }),
  createRoute({
    getParentRoute: () => openRoute,
    path: sessionConfig.routes.callback,
    component: lazyComponent(() => import('#web/pages/guest/callback-page.tsx'), 'CallbackPage'),
  }),
])

const guardedPages = guardedRoute.addChildren([
  createRoute({
    getParentRoute: () => guardedRoute,
    path: sessionConfig.routes.home,
    component: lazyComponent(() => import('#web/pages/home/home-page.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/import',
    component: withPermission(
      'records:import',
      lazyComponent(() => import('#web/pages/records/import-page.tsx'), 'ImportPage'),
    ),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/account/profile',
    component: lazyComponent(() => import('#web/pages/account/profile-page.tsx'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/account/security',
    component: lazyComponent(() => import('#web/pages/account/security-page.tsx'), 'SecurityPage'),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/account/sessions',
    component: lazyComponent(() => import('#web/pages/account/sessions-page.tsx'), 'SessionsPage'),
  }),
  // API tokens are personal, so no permission is needed.
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/settings/tokens',
    component: lazyComponent(() => import('#web/pages/account/tokens-page.tsx'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/api/docs',
    component: lazyComponent(() => import('#web/pages/frame/api-docs-page.tsx'), 'ApiDocsPage'),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/settings/users',
    component: withPermission(
      'users:manage',
      lazyComponent(() => import('#web/pages/settings/users-page.tsx'), 'UsersPage'),
    ),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/settings/roles',
    component: withPermission(
      'roles:manage',
      lazyComponent(() => import('#web/pages/settings/roles-page.tsx'), 'RolesPage'),
    ),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/settings/roles/$role',
    component: withPermission(
      'roles:manage',
      lazyComponent(() => import('#web/pages/settings/role-page.tsx'), 'RolePage'),
    ),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/settings/roles/policies/$policy',
    component: withPermission(
      'roles:manage',
      lazyComponent(() => import('#web/pages/settings/role-page.tsx'), 'PolicyPage'),
    ),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/settings/outbox',
    component: withPermission(
      'workspace:manage',
      lazyComponent(() => import('#web/pages/settings/outbox-page.tsx'), 'OutboxPage'),
    ),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/settings/audit',
    component: withPermission(
      'audit:read',
      lazyComponent(() => import('#web/pages/settings/audit-page.tsx'), 'AuditPage'),
    ),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/settings/workspace',
    component: withPermission(
      'workspace:manage',
      lazyComponent(() => import('#web/pages/settings/workspace-page.tsx'), 'WorkspacePage'),
    ),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/collections/$collection',
    loader: ({ preload, params }) => readAhead(preload, ({ prefetchList }) => prefetchList(params.collection)),
    component: lazyComponent(() => import('#web/pages/records/records-page.tsx'), 'RecordsPage'),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/collections/$collection/settings',
    component: lazyComponent(() => import('#web/pages/records/collection-settings-page.tsx'), 'CollectionSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => guardedRoute,
    path: '/collections/$collection/$record',
    loader: ({ preload, params }) => readAhead(preload, ({ prefetchRecord }) => prefetchRecord(params)),
    component: lazyComponent(() => import('#web/pages/records/record-page.tsx'), 'RecordPage'),
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
  // Fast pages show no placeholder, slow ones soon.
  defaultPendingMs: 300,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
  scrollToTopSelectors: ['#main'],
})

declare module '@tanstack/react-router' {
  // Type-checks every link.
  interface Register {
    router: typeof router
  }
}

/** Shown while the session status or a page loads. */
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
