import { t } from '#web/i18n/t.ts'
import type { SettingHelp } from './setting-help.ts'

const WORKSPACE = t('Workspace')
const ROLES = t('Roles and policies')
const TOKENS = t('API tokens')
const VIEWS = t('Views')
const FILES_IN = t('Import and export')
const PEOPLE = t('People')

/** What is set about everything around collections: who may do what, views, files in and out, people, the workspace. */
export const WORKSPACE_SETTINGS = {
  'role-name': {
    label: t('Name of a role or a policy'),
    place: ROLES,
    text: t('What people read where rights are given and explained. It can be changed at any time.'),
  },
  'role-about': {
    label: t('What a role or a policy is for'),
    place: ROLES,
    text: t('One sentence for whoever gives it to somebody. Nothing depends on it.'),
  },
  'grant-records': {
    label: t('Which records'),
    place: ROLES,
    text: t(
      'All of them, those somebody added themselves, or those a condition describes. A change must leave a record inside, too. By default none: nobody may what no role allows.',
    ),
  },
  'grant-fields': {
    label: t('Which fields'),
    place: ROLES,
    text: t(
      'A field that is not open does not exist for whoever has no other role that opens it: not in lists, filters, the search or exports. By default all fields are open.',
    ),
  },
  'grant-presets': {
    label: t('What new records start with'),
    place: ROLES,
    text: t(
      'Values a record gets where whoever adds it gave none, such as themselves as its owner. By default nothing besides the defaults of the fields.',
    ),
  },
  'grant-scope': {
    label: t('One collection or every collection'),
    place: ROLES,
    text: t('Whether a right counts here alone or in all collections, those to come as well.'),
  },
  'grant-alone': {
    label: t('For one role alone'),
    place: ROLES,
    text: t(
      'A policy may belong to several roles. Switched on, this role gets one of its own and the others keep theirs. Off, the change is for all of them.',
    ),
  },
  example: {
    label: t('An example of a policy'),
    place: ROLES,
    text: t(
      'A sentence that must stay true, such as “Ana may not see Salary”. A change of rights that would make it false is refused, and you are told which it is.',
    ),
  },
  'view-name': {
    label: t('Name of a view'),
    place: VIEWS,
    text: t('What the view is called above the list. It can be changed at any time; its address stays.'),
  },
  'view-shared': {
    label: t('A shared view'),
    place: VIEWS,
    text: t(
      'Whoever may read these records finds it above their list. It never shows anybody more than they may read. Off by default: the view is yours alone.',
    ),
  },
  'import-encoding': {
    label: t('Encoding of a file'),
    place: FILES_IN,
    text: t('How its letters are written in bytes. By default what the file itself suggests.'),
  },
  'import-separator': {
    label: t('Sign between two cells'),
    place: FILES_IN,
    text: t('By default the one that gives every row the same number of cells.'),
  },
  'import-into': {
    label: t('Where a file goes'),
    place: FILES_IN,
    text: t(
      'Into a new collection with a field for each column, or into one that is there, whose fields are found by their names.',
    ),
  },
  'import-header': {
    label: t('A row of names'),
    place: FILES_IN,
    text: t('Whether the first row names the columns or is a record itself. By default what it looks like.'),
  },
  'import-key': {
    label: t('Records that are there already'),
    place: FILES_IN,
    text: t(
      'Rows can change records that are there, found by a field in which no two are the same. By default every row is a new record.',
    ),
  },
  'import-bad-rows': {
    label: t('Rows that cannot be read'),
    place: FILES_IN,
    text: t(
      'Switched on, they are left out, and can be downloaded with what is wrong in each. By default one of them stops the import.',
    ),
  },
  'export-what': {
    label: t('What to export'),
    place: FILES_IN,
    text: t('A CSV holds the values of the records. A ZIP holds the files that stand in them. By default the CSV.'),
  },
  'export-header': {
    label: t('First row of an export'),
    place: FILES_IN,
    text: t('Labels are for people; programs go by names, which seldom change. By default labels.'),
  },
  'export-hidden': {
    label: t('Hidden columns in an export'),
    place: FILES_IN,
    text: t('Fields you may read that the list does not show now. Off by default.'),
  },
  'export-ids': {
    label: t('Ids in an export'),
    place: FILES_IN,
    text: t('What tells a record apart for good, so that an import can update it. Off by default.'),
  },
  'export-safe': {
    label: t('Safe for spreadsheets'),
    place: FILES_IN,
    text: t(
      'Keeps what begins like a formula from being run when the file is opened. On by default; switch it off where a program reads the file.',
    ),
  },
  'person-email': {
    label: t('E-mail address of a person'),
    place: PEOPLE,
    text: t('They sign in with it, and letters go there. No two people have the same one.'),
  },
  'person-name': {
    label: t('Name of a person'),
    place: PEOPLE,
    text: t('What others read beside what they did. Everybody can change their own.'),
  },
  'person-roles': {
    label: t('Roles of a person'),
    place: PEOPLE,
    text: t('They may do what any of their roles allows. Without a role they sign in and find nothing.'),
  },
  'person-note': {
    label: t('Notes about a person'),
    place: PEOPLE,
    text: t(
      'What the workspace keeps about somebody, such as their region. Conditions of roles and filters read it, so it can decide what they may see. By default nothing is noted.',
    ),
  },
  'passkey-name': {
    label: t('Name of a passkey'),
    place: PEOPLE,
    text: t('What you will know it by in your list, such as the device it is on. It can be changed at any time.'),
  },
  'template-examples': {
    label: t('Example records of a template'),
    place: WORKSPACE,
    text: t(
      'A few records that show how the collections belong together. On by default; they can be deleted like all others.',
    ),
  },
  'storage-limit': {
    label: t('Most that files may take'),
    place: WORKSPACE,
    text: t(
      'What would go beyond it is refused before it is sent. By default there is no limit but the disk. Files that are there are never removed by it.',
    ),
  },
  'time-zone': {
    label: t('Time zone of the workspace'),
    place: WORKSPACE,
    text: t(
      'Decides when @today begins and ends in grants, validation rules and workflow guards. The time zone of a browser never does. Default: the time zone of the server at set-up.',
    ),
  },
  'second-factor-required': {
    label: t('Required for'),
    place: WORKSPACE,
    text: t(
      'Who must sign in with a passkey or an authenticator app besides the password. Users without one can only set it up until they have, and their API tokens stop working. Default: nobody. Sign in with a second factor yourself before you require it.',
    ),
  },
  'session-idle': {
    label: t('Signed out after doing nothing'),
    place: WORKSPACE,
    text: t(
      'How long somebody stays signed in without using Dossier. A shorter time counts at once, for sessions that are open as well.',
    ),
  },
  'session-longest': {
    label: t('Signed out in any case'),
    place: WORKSPACE,
    text: t('How long one sign-in can last at most, however much it is used. A shorter time counts at once.'),
  },
  'session-most': {
    label: t('Most sessions of one person'),
    place: WORKSPACE,
    text: t(
      'On how many devices somebody may be signed in. By default there is no limit. One more than that ends the one that was used longest ago.',
    ),
  },
  'note-name': {
    label: t('What to note about people'),
    place: WORKSPACE,
    text: t('A property of every person, such as a region. Roles and filters read it as @me and its name.'),
  },
  'note-many': {
    label: t('Several notes for one person'),
    place: WORKSPACE,
    text: t(
      'Whether one person may have several of them, such as two regions. Off by default. A filter holds if one of them fits.',
    ),
  },
  'token-name': {
    label: t('Name of a token'),
    place: TOKENS,
    text: t('What you will know the token by in this list and in the audit log.'),
  },
  'token-may': {
    label: t('What a token may do'),
    place: TOKENS,
    text: t('Some of what you may do yourself, never more. When you lose a right, so does the token.'),
  },
  'token-collections': {
    label: t('Collections of a token'),
    place: TOKENS,
    text: t('Where it may do so. By default in every collection, those to come as well.'),
  },
  'token-end': {
    label: t('When a token ends'),
    place: TOKENS,
    text: t('After that it opens nothing. A short time protects you if it is stolen.'),
  },
} as const satisfies { readonly [setting: string]: SettingHelp }
