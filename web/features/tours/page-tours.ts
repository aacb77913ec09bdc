import type { TourDefinition, TourStep } from '#web/ui/tour/tour-machine.ts'
import { t } from '#web/i18n/t.ts'
import type { TourName } from '#web/data/storage/pending-tour.ts'

/** Tour targets, marked with `data-tour="…"` or `mark="…"`. */
const TOUR_TARGETS = [
  'navigation',
  'search',
  'help',
  'page-title',
  'page-actions',
  'section-nav',
  'collections',
  'grid',
  'grid-search',
  'grid-tools',
  'record-title',
  'record-fields',
  'record-editor',
  'record-files',
  'import-file',
  'fields',
  'rules',
  'workflow',
  'collection-access',
  'people',
  'roles',
  'policies',
  'role-matrix',
  'role-policies',
  'role-people',
  'profile-fields',
  'storage',
  'session-policy',
  'audit-filter',
  'security-summary',
  'passkeys',
  'totp',
  'password',
  'sessions',
] as const

type TourTarget = (typeof TOUR_TARGETS)[number]

const targetSelector = (mark: TourTarget): string => `[data-tour="${mark}"]`

type StepOptions = Partial<Pick<TourStep, 'selector' | 'isOptional'>>

const step = (mark: TourTarget, title: string, text: string, options: StepOptions = {}): TourStep => ({
  selector: targetSelector(mark),
  title,
  text,
  ...options,
})

/** A tour starts at version 1. */
const tour = (...steps: TourDefinition['steps']): TourDefinition => ({ version: 1, steps })

const MORE_HELP = step(
  'help',
  t('More help'),
  t('Select the question mark for help on this page, filters, shortcuts and settings.'),
)

const OTHER_SETTINGS = step(
  'section-nav',
  t('Other settings'),
  t('Switch between workspace, roles, emails and the audit log.'),
)

const OTHER_PAGES = step(
  'section-nav',
  t('Other account pages'),
  t('Switch between profile, security, sessions and API tokens.'),
)

/** Each tour covers one page. */
export const pageTours: { readonly [Name in TourName]: TourDefinition } = {
  'first-steps': tour(
    step(
      'collections',
      t('Your collections'),
      t('Each card shows a collection and its number of records. You see the collections you have access to.'),
    ),
    step('navigation', t('Navigation'), t('Go to home, your collections and settings from any page.')),
    step(
      'search',
      t('Search everything'),
      t('Search all collections you have access to. Press Ctrl or Cmd + K to open search from anywhere.'),
    ),
    step('help', t('Get help on any page'), t('Find a short tour of each page, and help on every setting and filter.')),
  ),
  owner: tour(
    step(
      'page-actions',
      t('Create collections'),
      t('Start from a template, a spreadsheet or scratch. Fields can be added and edited at any time.'),
    ),
    step(
      'collections',
      t('Customize a collection'),
      t(
        'Open its menu to edit fields, validation rules, the workflow and permissions. You’re warned before data is lost.',
      ),
    ),
    step(
      'navigation',
      t('Invite your team'),
      t('Invite people here. Roles, outgoing emails and the audit log are in Settings.'),
    ),
    MORE_HELP,
  ),
  list: tour(
    step(
      'grid-search',
      t('Find records'),
      t(
        'Finds records that contain all the words you type, in any field and order. Put an exact phrase in quotation marks.',
      ),
    ),
    step(
      'grid-tools',
      t('Choose what to show'),
      t('Filter, sort, group and choose columns. The URL includes these settings, so you can share it.'),
    ),
    step(
      'grid',
      t('Edit in the list'),
      t(
        'Use the arrow keys to move between cells, Enter to edit and Space to open the record. Copy and paste work as in a spreadsheet.',
      ),
    ),
    step(
      'help',
      t('Shortcuts and filters'),
      t('Help explains filters with examples. Press Ctrl or Cmd + / anywhere, even in a cell, to see all shortcuts.'),
    ),
  ),
  record: tour(
    step('record-title', t('Record title'), t('The title identifies the record in lists, links and search.')),
    step(
      'record-fields',
      t('Field values'),
      t(
        'Edit any value in place; changes are saved automatically. If someone else edits the same value, you choose which version to keep.',
      ),
      { isOptional: true },
    ),
    step('record-editor', t('Record text'), t('Type / to insert blocks or @ to mention people and records.'), {
      isOptional: true,
    }),
    step('record-files', t('Record files'), t('Drop files here. Uploads resume after interruptions.'), {
      isOptional: true,
    }),
    MORE_HELP,
  ),
  import: tour(
    step(
      'page-title',
      t('From spreadsheet to records'),
      t('Upload a CSV file and preview the result. Nothing is saved until you confirm.'),
    ),
    step(
      'import-file',
      t('Select a file'),
      t('Drop the file here. Encoding, delimiter and field types are detected; you can change them.'),
      { isOptional: true },
    ),
    step(
      'help',
      t('All or nothing'),
      t('If an import fails or is canceled, its records are removed. You can download rows with errors.'),
    ),
  ),
  'collection-settings': tour(
    step(
      'fields',
      t('Fields'),
      t('The data each record contains. Drag fields to reorder them, or open one to edit it.'),
    ),
    step(
      'rules',
      t('Validation rules'),
      t('Rules check records before they are saved. If a check fails, an error message is shown.'),
    ),
    step('workflow', t('Workflow'), t('The statuses a record can have, and who can change a record’s status.')),
    // Highlights the table instead of its section, because the table is wider.
    step('collection-access', t('Permissions in this collection'), t('Each role’s permissions in this collection.'), {
      selector: `${targetSelector('collection-access')} .access-wide`,
      isOptional: true,
    }),
  ),
  people: tour(
    step(
      'people',
      t('Members of this workspace'),
      t(
        'In each person’s menu, you can edit their roles, sign them out, deactivate them or view Dossier as they see it.',
      ),
    ),
    step(
      'page-actions',
      t('Invite and check access'),
      t('Invite people by email. “Check access” shows which role grants a permission, or what is missing.'),
    ),
    OTHER_SETTINGS,
  ),
  roles: tour(
    step(
      'roles',
      t('Assign roles to people'),
      t('People can have several roles. Permissions add up; a role never takes any away.'),
    ),
    step(
      'policies',
      t('Roles combine policies'),
      t('A policy is a set of permissions that roles can share. Its examples are checked whenever access changes.'),
    ),
    step('page-actions', t('Create a role'), t('A new role has no permissions until you grant them.')),
  ),
  role: tour(
    step(
      'role-matrix',
      t('Permissions of this role'),
      t(
        'One row per collection. Each cell shows which records and fields a permission covers. Select a cell to edit it.',
      ),
    ),
    step('role-policies', t('Policies of this role'), t('Editing a policy affects every role that uses it.'), {
      isOptional: true,
    }),
    step('role-people', t('Members'), t('People with this role. Changes take effect with their next request.'), {
      isOptional: true,
    }),
  ),
  workspace: tour(
    step(
      'profile-fields',
      t('User attributes'),
      t('Values stored for each user, such as a region or team. Roles and filters can use them.'),
    ),
    step('storage', t('Storage'), t('Storage used by files, and the limit.')),
    step(
      'session-policy',
      t('Session duration'),
      t('Shorter times take effect immediately for everyone who is signed in.'),
    ),
  ),
  outbox: tour(
    step(
      'page-title',
      t('Outgoing emails'),
      t('Invitations and password reset links. Without a mail server, copy the links here.'),
    ),
    OTHER_SETTINGS,
    MORE_HELP,
  ),
  audit: tour(
    step(
      'page-title',
      t('Activity'),
      t('Sign-ins, exports, and changes to accounts and permissions. Entries can’t be edited.'),
    ),
    step('audit-filter', t('Find an event'), t('Filter by text, person, type and date.')),
    step('page-actions', t('Export the log'), t('Exports the filtered entries as CSV.')),
  ),
  profile: tour(
    step('page-title', t('Your display name'), t('Your name appears next to your comments and changes.')),
    OTHER_PAGES,
    MORE_HELP,
  ),
  security: tour(
    step('security-summary', t('Account protection'), t('How your account is protected, and how to improve it.')),
    step(
      'passkeys',
      t('Passkeys'),
      t('Sign in with your fingerprint, face or a security key. Passkeys can’t be guessed or phished.'),
    ),
    step('totp', t('Authenticator app'), t('A code from your phone, in addition to your password.')),
    step('password', t('Your password'), t('When you change it, you can sign out all other devices.')),
  ),
  sessions: tour(
    step('page-title', t('Active sessions'), t('Devices and programs signed in to your account.')),
    step(
      'sessions',
      t('Sign out a device'),
      t('Sign out a device you don’t recognize; it loses access with its next request. Then change your password.'),
    ),
    OTHER_PAGES,
  ),
  tokens: tour(
    step(
      'page-title',
      t('Programs that act on your behalf'),
      t('A token gives a program some of your permissions, never more than you have. It is shown only once.'),
    ),
    OTHER_PAGES,
    MORE_HELP,
  ),
}
