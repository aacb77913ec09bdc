import { t } from '#web/i18n/t.ts'
import type { SettingHelp } from './definition-settings.ts'

const WORKSPACE = t('Workspace')
const ROLES = t('Roles and policies')
const TOKENS = t('API tokens')
const VIEWS = t('Views')
const FILES_IN = t('Import and export')
const PEOPLE = t('People')

export const WORKSPACE_SETTINGS = {
  'role-name': {
    label: t('Role or policy name'),
    place: ROLES,
    text: t('Shown where access is assigned and explained. You can change it at any time.'),
  },
  'role-about': {
    label: t('Role or policy description'),
    place: ROLES,
    text: t('A short description for people who assign it. It doesn’t affect access.'),
  },
  'grant-records': {
    label: t('Which records'),
    place: ROLES,
    text: t(
      'All records, records the user created, records where a field contains the user, or records that match a condition. Edited records must still match the condition. Default: none. Anything not granted by a role is denied.',
    ),
  },
  'grant-fields': {
    label: t('Which fields'),
    place: ROLES,
    text: t(
      'Fields that aren’t granted don’t appear in lists, filters, search or exports, unless another role grants access to them. Default: all fields.',
    ),
  },
  'grant-presets': {
    label: t('Default values for new records'),
    place: ROLES,
    text: t(
      'Values set when a user creates a record without entering them. For example, the owner can be set to the user. Default: only the fields’ own default values.',
    ),
  },
  'grant-scope': {
    label: t('One or all collections'),
    place: ROLES,
    text: t('Whether a permission applies to this collection only or to all collections, including future ones.'),
  },
  'grant-alone': {
    label: t('Only for one role'),
    place: ROLES,
    text: t(
      'A policy can belong to several roles. On: this role gets its own copy, and the other roles keep the original. Off: the change applies to all of them.',
    ),
  },
  example: {
    label: t('Policy example'),
    place: ROLES,
    text: t(
      'A statement that must stay true, such as “Ana can’t see Salary”. Access changes that would make it false are rejected, and the error names the example.',
    ),
  },
  'view-name': {
    label: t('View name'),
    place: VIEWS,
    text: t('Shown above the list. You can change it at any time. The URL stays the same.'),
  },
  'view-shared': {
    label: t('Shared view'),
    place: VIEWS,
    text: t(
      'Everyone who can view records in this collection sees the view, but only with the records they can access. Off by default: only you see the view.',
    ),
  },
  'import-encoding': {
    label: t('File encoding'),
    place: FILES_IN,
    text: t('The character encoding of the file. Detected automatically by default.'),
  },
  'import-separator': {
    label: t('Delimiter'),
    place: FILES_IN,
    text: t('By default, the delimiter that gives every row the same number of cells.'),
  },
  'import-into': {
    label: t('Import target'),
    place: FILES_IN,
    text: t(
      'Import into a new collection with one field per column, or into an existing one. Columns are matched to fields by name.',
    ),
  },
  'import-header': {
    label: t('Header row'),
    place: FILES_IN,
    text: t('Whether the first row contains column names rather than data. Detected from the file by default.'),
  },
  'import-key': {
    label: t('Existing records'),
    place: FILES_IN,
    text: t('Updates existing records, matched by a unique field. By default, every row creates a new record.'),
  },
  'import-bad-rows': {
    label: t('Rows with errors'),
    place: FILES_IN,
    text: t(
      'On: rows with errors are skipped, and you can download them with the reasons. Off (default): a single row with errors stops the import.',
    ),
  },
  'export-what': {
    label: t('What to export'),
    place: FILES_IN,
    text: t('CSV exports field values. ZIP exports the attached files. Default: CSV.'),
  },
  'export-header': {
    label: t('Export header row'),
    place: FILES_IN,
    text: t('Field names are for people. API names are for programs and rarely change. Default: field names.'),
  },
  'export-hidden': {
    label: t('Hidden columns in exports'),
    place: FILES_IN,
    text: t('Includes fields you can access that the list currently hides. Off by default.'),
  },
  'export-ids': {
    label: t('Record IDs in exports'),
    place: FILES_IN,
    text: t('Adds the permanent ID of each record, so that an import can update it. Off by default.'),
  },
  'export-safe': {
    label: t('Protection against spreadsheet formulas'),
    place: FILES_IN,
    text: t(
      'Prevents values that look like formulas from running when the file is opened. Turn it off if a program reads the file. On by default.',
    ),
  },
  'person-email': {
    label: t('Email address'),
    place: PEOPLE,
    text: t('Used to sign in and to receive emails. Two people can’t use the same address.'),
  },
  'person-name': {
    label: t('User’s name'),
    place: PEOPLE,
    text: t('Shown next to this person’s activity. Everyone can edit their own name.'),
  },
  'person-roles': {
    label: t('User’s roles'),
    place: PEOPLE,
    text: t('Users have all the permissions of their roles. Without a role, they can sign in but see nothing.'),
  },
  'person-note': {
    label: t('User attributes'),
    place: PEOPLE,
    text: t(
      'Information about a user, such as their region. Roles and filters can use it to decide what the user sees. Empty by default.',
    ),
  },
  'passkey-name': {
    label: t('Passkey name'),
    place: PEOPLE,
    text: t('Helps you recognize the passkey. For example, use the name of the device. You can change it at any time.'),
  },
  'template-examples': {
    label: t('Sample data in a template'),
    place: WORKSPACE,
    text: t(
      'Adds a few records that show how the collections relate. You can delete them like any other record. On by default.',
    ),
  },
  'storage-limit': {
    label: t('Storage limit'),
    place: WORKSPACE,
    text: t(
      'Uploads that exceed the limit are rejected before they start. Existing files are kept. Default: limited only by disk space.',
    ),
  },
  'time-zone': {
    label: t('Workspace time zone'),
    place: WORKSPACE,
    text: t(
      'Determines when @today begins and ends in permissions, validation rules and workflow transitions. Browser time zones have no effect. Default: the server’s time zone at setup.',
    ),
  },
  'trash-days': {
    label: t('Days in the trash'),
    place: WORKSPACE,
    text: t(
      'How long deleted records, and files removed from records, can be restored. A shorter time also applies to records already in the trash. Default: 30 days.',
    ),
  },
  'history-days': {
    label: t('Days in the history'),
    place: WORKSPACE,
    text: t(
      'How long changes of records can be viewed, restored and undone. A shorter time also applies to earlier changes. Default: unlimited.',
    ),
  },
  'workspace-name': {
    label: t('Workspace name'),
    place: WORKSPACE,
    text: t('Shown in browser tabs, the sidebar and email subjects, and on the sign-in page. Default: Dossier.'),
  },
  'workspace-logo': {
    label: t('Logo'),
    place: WORKSPACE,
    text: t(
      'Shown next to the name and as the browser tab icon. Visible to anyone who can open the sign-in page. Default: the Dossier logo.',
    ),
  },
  tours: {
    label: t('Offer tours'),
    place: WORKSPACE,
    text: t(
      'Offers new users a tour on the home page and adds a tour of each page to help. When off, no one sees tours. Default: on.',
    ),
  },
  'second-factor-required': {
    label: t('Required for'),
    place: WORKSPACE,
    text: t(
      'Who must use a passkey or an authenticator app in addition to the password. Until users set one up, they can’t do anything else, and their API tokens don’t work. Default: no one. Sign in with a second factor yourself before you require one.',
    ),
  },
  'session-idle': {
    label: t('Idle timeout'),
    place: WORKSPACE,
    text: t(
      'Users are signed out after this much inactivity. A shorter limit applies immediately, including to open sessions.',
    ),
  },
  'session-longest': {
    label: t('Maximum session length'),
    place: WORKSPACE,
    text: t('Users are signed out after this time, even if they are active. A shorter limit applies immediately.'),
  },
  'session-most': {
    label: t('Maximum sessions per user'),
    place: WORKSPACE,
    text: t(
      'How many devices a user can be signed in on. Signing in beyond the limit ends the least recently used session. No limit by default.',
    ),
  },
  'note-name': {
    label: t('User attribute name'),
    place: WORKSPACE,
    text: t('An attribute of every user, such as region. Roles and filters can use it, for example as @me.region.'),
  },
  'note-many': {
    label: t('Multiple attribute values'),
    place: WORKSPACE,
    text: t(
      'Whether a user can have several values, such as two regions. Filters match if any value matches. Off by default.',
    ),
  },
  'token-name': {
    label: t('Token name'),
    place: TOKENS,
    text: t('Identifies the token in this list and in the audit log.'),
  },
  'token-may': {
    label: t('Token permissions'),
    place: TOKENS,
    text: t('A subset of your own permissions. If you lose a permission, the token loses it too.'),
  },
  'token-collections': {
    label: t('Token collections'),
    place: TOKENS,
    text: t('The collections the token can access. Default: all collections, including future ones.'),
  },
  'token-end': {
    label: t('Token expiration'),
    place: TOKENS,
    text: t('The token stops working after this date. A short lifetime limits the damage if it is stolen.'),
  },
} as const satisfies { readonly [setting: string]: SettingHelp }
