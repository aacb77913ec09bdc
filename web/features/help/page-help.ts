import { sessionConfig } from '#web/data/session/session-config.ts'
import type { TourName } from '#web/data/storage/pending-tour.ts'
import { t } from '#web/i18n/t.ts'

/** What a page is for, the tour that shows it, and its keys. */
export type PageHelp = {
  readonly name: string
  readonly about: string
  readonly tour?: TourName
  /** The groups of keys that count here, by their names, beside those that count everywhere. */
  readonly keys?: readonly string[]
}

type Known = { readonly path: RegExp; readonly help: PageHelp }

const PAGES: readonly Known[] = [
  {
    // The route has no character that means something in a pattern.
    path: new RegExp(`^${sessionConfig.routes.home}$`),
    help: {
      name: t('Home'),
      about: t('Where everybody starts: the collections you may read, and what you had open last.'),
      tour: 'home',
    },
  },
  {
    path: /^\/import$/,
    help: {
      name: t('Import'),
      about: t('Makes records from a CSV. You see what would become of every row before anything is stored.'),
      tour: 'import',
    },
  },
  {
    path: /^\/collections\/[^/]+$/,
    help: {
      name: t('A list of records'),
      about: t(
        'All records of a collection. Search, filter, sort and group them; change them in place; the address keeps what you see.',
      ),
      tour: 'list',
      keys: [t('In a list'), t('In the grid')],
    },
  },
  {
    path: /^\/collections\/[^/]+\/settings$/,
    help: {
      name: t('Fields and settings'),
      about: t('What the records of a collection hold, what must hold in them, how they move, and who may do what.'),
      tour: 'collection-settings',
    },
  },
  {
    path: /^\/collections\/[^/]+\/[^/]+$/,
    help: {
      name: t('A record'),
      about: t('Everything one record holds: its values, its text, its files. What you change is saved as you go.'),
      tour: 'record',
      keys: [t('In an open record')],
    },
  },
  {
    path: /^\/settings\/users$/,
    help: {
      name: t('People'),
      about: t('Who may come in and with which roles. Invite them, lock them out, ask why they may do something.'),
      tour: 'people',
    },
  },
  {
    path: /^\/settings\/roles$/,
    help: {
      name: t('Roles'),
      about: t('Roles go to people and are made of policies. Nobody may do anything that no role of theirs allows.'),
      tour: 'roles',
    },
  },
  {
    path: /^\/settings\/roles\/.+$/,
    help: {
      name: t('A role or a policy'),
      about: t('What it adds up to, collection by collection: which records and which fields.'),
      tour: 'role',
    },
  },
  {
    path: /^\/settings\/workspace$/,
    help: {
      name: t('Workspace'),
      about: t('What counts for everybody: notes about people, room for files, how long people stay signed in.'),
      tour: 'workspace',
    },
  },
  {
    path: /^\/settings\/outbox$/,
    help: {
      name: t('Outbox'),
      about: t('The letters this server wrote. Without a mail server you copy their links from here.'),
      tour: 'outbox',
    },
  },
  {
    path: /^\/settings\/audit$/,
    help: {
      name: t('Audit log'),
      about: t('What happened to accounts, sessions and rights, and who took data out. It can be read, never changed.'),
      tour: 'audit',
    },
  },
  {
    path: /^\/settings\/tokens$/,
    help: {
      name: t('API tokens'),
      about: t('Keys for programs that work in your name, with no more rights than you give them.'),
      tour: 'tokens',
    },
  },
  {
    path: /^\/account\/profile$/,
    help: { name: t('Profile'), about: t('How this workspace knows you, and what you may do.'), tour: 'profile' },
  },
  {
    path: /^\/account\/security$/,
    help: {
      name: t('Security'),
      about: t('What stands between your account and everybody else: passkeys, codes, your password.'),
      tour: 'security',
    },
  },
  {
    path: /^\/account\/sessions$/,
    help: {
      name: t('Sessions'),
      about: t('Every device and program that is signed in as you. End those you do not know.'),
      tour: 'sessions',
    },
  },
  {
    path: /^\/api\/docs$/,
    help: {
      name: t('API reference'),
      about: t('Everything programs can ask of this workspace, with the collections and fields you may read.'),
    },
  },
]

/** What is known of the page at an address. */
export const pageHelp = (pathname: string): PageHelp | undefined => PAGES.find(({ path }) => path.test(pathname))?.help
