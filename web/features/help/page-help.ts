import { sessionConfig } from '#web/data/session/session-state.ts'
import type { TourName } from '#web/data/storage/pending-tour.ts'
import { t } from '#web/i18n/t.ts'

type PageHelp = {
  readonly path: RegExp
  readonly name: string
  readonly about: string
  readonly tour?: TourName
  /** Names of this page's shortcut groups, in addition to the global ones. */
  readonly keys?: readonly string[]
}

const PAGES: readonly PageHelp[] = [
  {
    // The route needs no escaping, because it contains no regular-expression characters.
    path: new RegExp(`^${sessionConfig.routes.home}$`),
    name: t('Home'),
    about: t('Your collections and recently opened records.'),
    tour: 'first-steps',
  },
  {
    path: /^\/import$/,
    name: t('Import'),
    about: t('Create records from a CSV file. Preview every row before anything is saved.'),
    tour: 'import',
  },
  {
    path: /^\/collections\/[^/]+$/,
    name: t('Record list'),
    about: t(
      'All records in a collection. Search, filter, sort, group and edit in place. Filters and sorting are kept in the URL.',
    ),
    tour: 'list',
    keys: [t('In a list'), t('In the grid')],
  },
  {
    path: /^\/collections\/[^/]+\/settings$/,
    name: t('Fields and settings'),
    about: t('Fields, validation rules, workflow and permissions of a collection.'),
    tour: 'collection-settings',
  },
  {
    path: /^\/collections\/[^/]+\/[^/]+$/,
    name: t('A record'),
    about: t('Everything in one record: values, text and files. Changes are saved automatically.'),
    tour: 'record',
    keys: [t('In an open record')],
  },
  {
    path: /^\/settings\/users$/,
    name: t('People'),
    about: t('Members of this workspace and their roles. Invite or deactivate users and check their access.'),
    tour: 'people',
  },
  {
    path: /^\/settings\/roles$/,
    name: t('Roles'),
    about: t('Users are assigned roles, and roles combine policies. Anything not granted by a role is denied.'),
    tour: 'roles',
  },
  {
    path: /^\/settings\/roles\/.+$/,
    name: t('Role or policy'),
    about: t('Permissions by collection, including the records and fields they cover.'),
    tour: 'role',
  },
  {
    path: /^\/settings\/workspace$/,
    name: t('Workspace'),
    about: t('Settings for everyone: user attributes, storage and sessions.'),
    tour: 'workspace',
  },
  {
    path: /^\/settings\/outbox$/,
    name: t('Outbox'),
    about: t(
      'Emails sent by this workspace. If no mail server is set up, copy the links from the emails and share them yourself.',
    ),
    tour: 'outbox',
  },
  {
    path: /^\/settings\/audit$/,
    name: t('Audit log'),
    about: t('Data exports and changes to accounts, sessions and permissions. Entries can’t be edited.'),
    tour: 'audit',
  },
  {
    path: /^\/settings\/tokens$/,
    name: t('API tokens'),
    about: t('Tokens let programs act on your behalf, with only the permissions you grant.'),
    tour: 'tokens',
  },
  {
    path: /^\/account\/profile$/,
    name: t('Profile'),
    about: t('Your name, email and permissions.'),
    tour: 'profile',
  },
  {
    path: /^\/account\/security$/,
    name: t('Security'),
    about: t('Protect your account with passkeys, codes and a password.'),
    tour: 'security',
  },
  {
    path: /^\/account\/sessions$/,
    name: t('Sessions'),
    about: t('All devices and programs signed in to your account. Sign out any you don’t recognize.'),
    tour: 'sessions',
  },
  {
    path: /^\/api\/docs$/,
    name: t('API reference'),
    about: t('Every API endpoint of this workspace, including the collections and fields you can access.'),
  },
]

export const pageHelp = (pathname: string): PageHelp | undefined => PAGES.find(({ path }) => path.test(pathname))
