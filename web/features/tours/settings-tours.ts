import type { TourDefinition } from '#web/ui/tour/tour-machine.ts'
import { t } from '#web/i18n/t.ts'
import { targetSelector } from './tour-targets.ts'

/** Tours of the pages where owners arrange the workspace, each on the page that is open. */
export const settingsTours = {
  'collection-settings': {
    version: 1,
    steps: [
      {
        selector: targetSelector('fields'),
        title: t('The fields'),
        text: t('What each record holds. Drag them into order, open one to change it.'),
      },
      {
        selector: targetSelector('rules'),
        title: t('The rules'),
        text: t('What must hold in every record, and the sentence people read who break it.'),
      },
      {
        selector: targetSelector('workflow'),
        title: t('The workflow'),
        text: t('The states of a record, and who may move it from one to the next.'),
      },
      {
        // The table, which is wider than the section it stands in.
        selector: `${targetSelector('collection-access')} .access-wide`,
        title: t('Who may do what here'),
        text: t('What every role adds up to in this collection.'),
        isOptional: true,
      },
    ],
  },
  people: {
    version: 1,
    steps: [
      {
        selector: targetSelector('people'),
        title: t('Everybody who may come in'),
        text: t(
          'The menu of each person changes their roles, signs them out, locks them out, or shows Dossier as they see it.',
        ),
      },
      {
        selector: targetSelector('page-actions'),
        title: t('Invite, and ask why'),
        text: t('Invite somebody by e-mail. “Why may they?” tells which role allows something, or what is missing.'),
      },
      {
        selector: targetSelector('section-nav'),
        title: t('The other settings'),
        text: t('Workspace, roles, letters and the audit log are side by side.'),
      },
    ],
  },
  roles: {
    version: 1,
    steps: [
      {
        selector: targetSelector('roles'),
        title: t('Roles go to people'),
        text: t('Somebody may hold several. What any of them allows is allowed; nothing takes away.'),
      },
      {
        selector: targetSelector('policies'),
        title: t('Policies make up roles'),
        text: t('A policy is a set of rights that several roles may share. Its examples keep it honest.'),
      },
      {
        selector: targetSelector('page-actions'),
        title: t('A new role'),
        text: t('Start from nothing: a new role allows nothing until you say what.'),
      },
    ],
  },
  role: {
    version: 1,
    steps: [
      {
        selector: targetSelector('role-matrix'),
        title: t('What the role adds up to'),
        text: t('One line for each collection. A cell tells which records and which fields; open it to change them.'),
      },
      {
        selector: targetSelector('role-policies'),
        title: t('What it is made of'),
        text: t('Its policies. A change to one counts for every role that has it.'),
        isOptional: true,
      },
      {
        selector: targetSelector('role-people'),
        title: t('Who holds it'),
        text: t('The people who have this role. A change counts with their next request.'),
        isOptional: true,
      },
    ],
  },
  workspace: {
    version: 1,
    steps: [
      {
        selector: targetSelector('profile-fields'),
        title: t('Notes about people'),
        text: t('A region or a team, noted once for each person. Roles and filters can read it.'),
      },
      {
        selector: targetSelector('storage'),
        title: t('Room for files'),
        text: t('What files take, and the most that they may.'),
      },
      {
        selector: targetSelector('session-policy'),
        title: t('How long people stay signed in'),
        text: t('Shorter times count at once, for everybody who is signed in.'),
      },
    ],
  },
  outbox: {
    version: 1,
    steps: [
      {
        selector: targetSelector('page-title'),
        title: t('Letters that leave this server'),
        text: t('Invitations and links for new passwords. Without a mail server you copy the link from here.'),
      },
      {
        selector: targetSelector('section-nav'),
        title: t('The other settings'),
        text: t('Workspace, roles, letters and the audit log are side by side.'),
      },
      {
        selector: targetSelector('help'),
        title: t('More help'),
        text: t('The question mark explains each page, the filter language, every shortcut and every setting.'),
      },
    ],
  },
  audit: {
    version: 1,
    steps: [
      {
        selector: targetSelector('page-title'),
        title: t('What happened'),
        text: t('Sign-ins, exports, and each change to accounts and rights. It can be read, never changed.'),
      },
      {
        selector: targetSelector('audit-filter'),
        title: t('Find an event'),
        text: t('By words, by person, by kind and by time.'),
      },
      {
        selector: targetSelector('page-actions'),
        title: t('Take it with you'),
        text: t('The export holds what the filter shows, as CSV.'),
      },
    ],
  },
} as const satisfies { readonly [tour: string]: TourDefinition }
