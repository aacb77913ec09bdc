import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { ACCOUNT_PAGES, pagesFor, SETTINGS_PAGES } from '#web/shared/navigation/app-pages.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { AppLink, collectionPath, useCurrentPageTitle } from '#web/shared/navigation/app-link.tsx'
import { IconChevronDown, IconHome } from '#web/ui/icons/frame.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { MenuButton } from '#web/ui/popup/menu-button.tsx'
import { t } from '#web/i18n/t.ts'
import './breadcrumbs.css'

const switcherItems = lazyModule(() => import('./collection-switcher.tsx'))

export function Breadcrumbs() {
  const title = useCurrentPageTitle()
  const { collection: name } = useParams({ strict: false })
  const { pathname } = useLocation()
  const { data: collections } = useQuery({ ...collectionsQuery, enabled: name !== undefined })
  const collection = collections?.find((one) => one.name === name || one.id === name)
  const part = usePart(pathname)
  const switcher =
    collection === undefined || collections === undefined || collections.length < 2 ? null : (
      <Switcher collections={collections} current={collection} />
    )
  const isHome = pathname === sessionConfig.routes.home

  return (
    <nav className="breadcrumbs" aria-label={t('Breadcrumbs')}>
      <ol>
        {!isHome && (
          <Crumb kind="home">
            <AppLink href={sessionConfig.routes.home}>
              <IconHome size={16} stroke={1.5} aria-hidden />
              <span className="visually-hidden">{t('Home')}</span>
            </AppLink>
          </Crumb>
        )}
        {part !== undefined && part.name !== title && (
          <Crumb>
            <AppLink href={String(part.to)}>{part.name}</AppLink>
          </Crumb>
        )}
        {collection !== undefined && title !== collection.label && (
          <Crumb kind="collection">
            <AppLink href={collectionPath(collection.name)}>{collection.label}</AppLink>
            {switcher}
          </Crumb>
        )}
        {/* The key remounts the breadcrumb for each page. */}
        <PageCrumb key={title} title={title}>
          {title === collection?.label && switcher}
        </PageCrumb>
      </ol>
    </nav>
  )
}

function Crumb({ kind, children }: { readonly kind?: 'home' | 'collection'; readonly children: ReactNode }) {
  return <li data-kind={kind}>{children}</li>
}

/** Renders nothing until the page has a title. */
function PageCrumb({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  if (title === '') return null
  return (
    <li aria-current="page" title={title} data-kind="page">
      <span>{title}</span>
      {children}
    </li>
  )
}

function usePart(pathname: string) {
  const scope = useUser()?.scope ?? []
  if (pathname.startsWith('/settings/roles/')) return { to: '/settings/roles', name: t('Roles') } as const
  if (ACCOUNT_PAGES.some(({ to }) => to === pathname)) return { to: '/account/profile', name: t('Account') } as const
  const first = pagesFor(SETTINGS_PAGES, scope)[0]
  return first && pathname.startsWith('/settings/') ? { to: first.to, name: t('Settings') } : undefined
}

type SwitcherProps = { readonly collections: readonly CollectionBody[]; readonly current: CollectionBody }

function Switcher({ collections, current }: SwitcherProps) {
  return (
    <MenuButton
      position="bottom-start"
      widthPx={240}
      className="breadcrumbs-collections"
      part={switcherItems}
      items={({ CollectionSwitcher }) => <CollectionSwitcher collections={collections} current={current} />}
      button={(button) => (
        <ActionIcon {...button} size="xs" aria-label={t('Switch collection')}>
          <IconChevronDown size={14} stroke={1.75} aria-hidden />
        </ActionIcon>
      )}
    />
  )
}
