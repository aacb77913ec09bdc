import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import type { SessionUser } from '#api/sessions.ts'
import { collectionsQuery, viewNamesQuery } from '#web/data/queries/collections-query.ts'
import {
  ACCOUNT_PAGES,
  type AppPage,
  type PageAnchor,
  pagesFor,
  SETTINGS_PAGES,
} from '#web/shared/navigation/app-pages.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { useCan } from '#web/data/authorization/use-can.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { collectionPath, collectionSettingsPath } from '#web/shared/navigation/app-link.tsx'
import { type Command, commands } from '#web/ui/shortcuts/commands.ts'
import { IconHome, IconPlus, IconTableImport } from '#web/ui/icons/frame.ts'
import {
  IconAdjustmentsHorizontal,
  IconInfoCircle,
  IconLayoutList,
  IconTrash,
  IconWorld,
} from '#web/ui/icons/general.ts'
import { IconDeviceDesktop, IconLogout, IconMoon, IconPointFilled, IconSun } from '#web/ui/icons/later.ts'
import { IconFileText, IconSettings } from '#web/ui/icons/start.ts'
import { keysOf } from '#web/ui/shortcuts/shortcuts.tsx'
import { t } from '#web/i18n/t.ts'
import { MISSING_FEATURES } from './missing-features.ts'
import type { PaletteItem } from './rank-items.ts'
import { useMantineColorScheme } from '@mantine/core'
import { LANGUAGES } from '#domain/shared/language.ts'
import { reloadInLanguage, setDensity, setLanguage } from '#web/shared/appearance-settings.ts'
import { DENSITIES, type Density, useDensity } from '#web/ui/theme/theme.ts'
import { LANGUAGE, LANGUAGE_NAMES } from '#web/i18n/locale.ts'

const SCHEMES = [
  { scheme: 'auto', label: t('System theme'), icon: IconDeviceDesktop },
  { scheme: 'light', label: t('Light theme'), icon: IconSun },
  { scheme: 'dark', label: t('Dark theme'), icon: IconMoon },
] as const

const DENSITY_WORDS: Readonly<Record<Density, string>> = {
  auto: t('Automatic density'),
  comfortable: t('Comfortable'),
  compact: t('Compact'),
}

/** Omits the current color scheme, density and language. */
function useAppearanceItems(user: SessionUser | null): readonly PaletteItem[] {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const density = useDensity()
  // During impersonation, the language changes only in this browser, not in the user's account.
  const isSeen = user?.view_as?.is_on === true
  return useMemo(() => {
    const about = { group: 'app', isPart: true } as const
    const schemes = SCHEMES.filter(({ scheme }) => scheme !== colorScheme).map(
      ({ scheme, label, icon }): PaletteItem => ({
        id: `scheme-${scheme}`,
        group: 'app',
        label,
        alsoCalled: [t('Appearance'), t('Theme'), t('Mode')],
        icon,
        run: () => setColorScheme(scheme),
      }),
    )
    const densities = DENSITIES.filter((one) => one !== density).map(
      (one): PaletteItem => ({
        id: `density-${one}`,
        label: DENSITY_WORDS[one],
        within: t('Density'),
        alsoCalled: [t('Density'), t('Appearance')],
        icon: IconAdjustmentsHorizontal,
        run: () => setDensity(one),
        ...about,
      }),
    )
    const languages = LANGUAGES.filter((one) => one !== LANGUAGE).map(
      (one): PaletteItem => ({
        id: `language-${one}`,
        label: LANGUAGE_NAMES[one],
        within: t('Language'),
        alsoCalled: [t('Language'), one],
        icon: IconWorld,
        run: () => void (isSeen ? reloadInLanguage(one) : setLanguage(one)),
        ...about,
      }),
    )
    return [...schemes, ...densities, ...languages]
  }, [colorScheme, setColorScheme, density, isSeen])
}

/** All pages and commands available to the user on this page. */
export function usePaletteItems(): readonly PaletteItem[] {
  const user = useUser()
  // Commands available when the palette was opened; the page behind it doesn't change.
  const [offered] = useState(() => commands.all())
  const { data: collections } = useQuery(collectionsQuery)
  const views = useViewItems(collections)
  const create = useCreateItems(collections)
  const appearance = useAppearanceItems(user)
  const missing = useMissingItems()
  return useMemo(
    () => [
      ...offered.filter(({ about }) => about !== 'key').map(commandItem),
      {
        id: 'home',
        group: 'go',
        label: t('Home'),
        icon: IconHome,
        href: sessionConfig.routes.home,
        ...keys('go-home'),
      },
      ...(user?.scope.includes('records:read') ? [TRASH] : []),
      ...(collections ?? []).map(collectionItem),
      ...views,
      ...create,
      ...pageItems(user),
      ...(user ? [API_REFERENCE] : []),
      ...(collections ?? []).flatMap(collectionSettingsItems),
      ...appearance,
      { id: 'sign-out', group: 'app', label: t('Sign out'), icon: IconLogout, href: sessionConfig.routes.logout },
      ...missing,
    ],
    [offered, collections, views, create, user, appearance, missing],
  )
}

/** Opens the help if no command or page provides the alternative. */
function useMissingItems(): readonly PaletteItem[] {
  const mayImport = useCan('records:import')
  return useMemo(
    () =>
      MISSING_FEATURES.map(({ id, alsoCalled, command = 'help', href, ...shown }): PaletteItem => {
        const item = { ...shown, id: `missing-${id}`, group: 'missing', icon: IconInfoCircle, isPart: true } as const
        const words = { alsoCalled: [alsoCalled] }
        return href === undefined || (href === '/import' && !mayImport)
          ? { ...item, ...words, run: () => void (commands.run(command) || commands.run('help')) }
          : { ...item, ...words, href }
      }),
    [mayImport],
  )
}

const TRASH: PaletteItem = {
  id: 'trash',
  group: 'go',
  label: t('Trash'),
  alsoCalled: [t('Recycle bin, deleted records, restore, recover')],
  icon: IconTrash,
  href: '/trash',
}

const API_REFERENCE: PaletteItem = {
  id: 'api-docs',
  group: 'settings',
  label: t('API reference'),
  alsoCalled: ['rest', 'openapi', 'swagger', 'curl', 'sdk', t('Developer, documentation, integration')],
  icon: IconFileText,
  isPart: true,
  href: '/api/docs',
}

const keys = (command: string) => {
  const found = keysOf(command)
  return found === undefined ? {} : { keys: found }
}

const commandItem = ({ id, about, label, alsoCalled, icon = IconPointFilled, run }: Command): PaletteItem => ({
  id,
  group: about === 'key' ? 'app' : about,
  label,
  ...(alsoCalled !== undefined && { alsoCalled: [alsoCalled] }),
  icon,
  ...keys(id),
  run,
})

const collectionItem = ({ id, name, label, description = '', icon, color }: CollectionBody): PaletteItem => ({
  id: `collection-${id}`,
  group: 'go',
  label,
  alsoCalled: [name, description, t('Records')],
  look: { icon, color },
  href: collectionPath(name),
})

function useViewItems(collections: readonly CollectionBody[] | undefined): readonly PaletteItem[] {
  const { data: views } = useQuery(viewNamesQuery)
  return useMemo(() => {
    const byId = new Map((collections ?? []).map((collection) => [collection.id, collection]))
    return (views ?? []).flatMap(({ id, collection, name }) => viewItem(byId.get(collection), id, name))
  }, [collections, views])
}

const viewItem = (collection: CollectionBody | undefined, id: string, label: string): PaletteItem[] =>
  collection
    ? [
        {
          id: `view-${id}`,
          group: 'go',
          label,
          within: collection.label,
          alsoCalled: [t('View')],
          icon: IconLayoutList,
          href: `${collectionPath(collection.name)}?view=${id}`,
        },
      ]
    : []

function useCreateItems(collections: readonly CollectionBody[] | undefined): readonly PaletteItem[] {
  const { history } = useRouter()
  const mayImport = useCan('records:import')
  return useMemo(() => {
    const open = (collections ?? []).filter(({ can }) => can.includes('records:create'))
    const records = open.map(
      ({ id, name, label }): PaletteItem => ({
        id: `create-${id}`,
        group: 'create',
        label: t('New record in {label}', { label }),
        alsoCalled: [t('Add'), t('Create'), t('Row, entry, item')],
        icon: IconPlus,
        run: () => {
          const path = collectionPath(name)
          if (window.location.pathname !== path) history.push(path)
          commands.runAt(path, 'new-record')
        },
      }),
    )
    const ways: PaletteItem = {
      id: 'import',
      group: 'create',
      label: t('Import CSV'),
      alsoCalled: ['Excel', t('Upload a spreadsheet')],
      icon: IconTableImport,
      href: '/import',
    }
    return mayImport ? [...records, ways] : records
  }, [collections, mayImport, history])
}

function pageItems(user: SessionUser | null): PaletteItem[] {
  if (!user) return []
  // Links to account pages are hidden during impersonation.
  const own = user.view_as?.is_on === true ? [] : ACCOUNT_PAGES
  return [
    ...pagesFor(SETTINGS_PAGES, user.scope).flatMap((place) => itemsOfPage(place, t('Settings'))),
    ...own.flatMap((place) => itemsOfPage(place, t('Account'))),
  ]
}

const partHref = (page: string, { at }: PageAnchor): string => (at === undefined ? page : `${page}#${at}`)

function itemsOfPage({ to, name, icon, holds }: AppPage, within: string): PaletteItem[] {
  const page = { group: 'settings', icon, href: String(to) } as const
  return [
    { id: `place-${to}`, label: name, within, ...page },
    ...holds.map(
      (held): PaletteItem => ({
        id: `place-${to}-${held.name.toLowerCase().replaceAll(' ', '-')}`,
        label: held.name,
        within: name,
        isPart: true,
        ...page,
        href: partHref(page.href, held),
      }),
    ),
  ]
}

const SETTINGS_OF_COLLECTION: readonly PageAnchor[] = [
  { name: t('Columns and properties'), at: 'fields' },
  { name: t('Validation rules'), at: 'rules' },
  { name: t('Workflow'), at: 'workflow' },
  { name: t('Statuses'), at: 'workflow' },
  { name: t('Access'), at: 'collection-access' },
  { name: t('Performance'), at: 'speed-title' },
  { name: t('Rename'), at: 'collection-names' },
  { name: t('Delete collection'), at: 'delete-title' },
]

function collectionSettingsItems({ id, name, label, can }: CollectionBody): PaletteItem[] {
  if (!can.includes('collections:manage')) return []
  const page = { group: 'settings', within: label, icon: IconSettings, isPart: true } as const
  const href = collectionSettingsPath(name)
  return [
    { id: `settings-${id}`, label: t('Fields and settings'), href, ...page },
    ...SETTINGS_OF_COLLECTION.map(
      (held): PaletteItem => ({
        id: `settings-${id}-${held.name}`,
        label: held.name,
        href: partHref(href, held),
        ...page,
      }),
    ),
  ]
}
