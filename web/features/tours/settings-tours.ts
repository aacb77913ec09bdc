import type { TourDefinition } from '#web/ui/tour/tour-machine.ts'
import { t } from '#web/i18n/t.ts'
import { targetSelector } from './tour-targets.ts'

export const settingsTours = {
  'collection-settings': {
    version: 1,
    steps: [
      {
        selector: targetSelector('fields'),
        title: t('Fields'),
        text: t('The data each record contains. Drag fields to reorder them, or open one to edit it.'),
      },
      {
        selector: targetSelector('rules'),
        title: t('Validation rules'),
        text: t('Rules check records before they are saved, and show an error message if one fails.'),
      },
      {
        selector: targetSelector('workflow'),
        title: t('Workflow'),
        text: t('The statuses of a record, and who can change them.'),
      },
      {
        // The table, which is wider than its section.
        selector: `${targetSelector('collection-access')} .access-wide`,
        title: t('Permissions in this collection'),
        text: t('The permissions of every role in this collection.'),
        isOptional: true,
      },
    ],
  },
  people: {
    version: 1,
    steps: [
      {
        selector: targetSelector('people'),
        title: t('Members of this workspace'),
        text: t(
          'Each person’s menu lets you edit roles, sign them out, deactivate them or view Dossier as they see it.',
        ),
      },
      {
        selector: targetSelector('page-actions'),
        title: t('Invite and check access'),
        text: t('Invite people by email. “Check access” shows which role grants a permission, or what is missing.'),
      },
      {
        selector: targetSelector('section-nav'),
        title: t('Other settings'),
        text: t('Switch between workspace, roles, emails and the audit log.'),
      },
    ],
  },
  roles: {
    version: 1,
    steps: [
      {
        selector: targetSelector('roles'),
        title: t('Assign roles to people'),
        text: t('People can have several roles. Permissions add up; no role removes any.'),
      },
      {
        selector: targetSelector('policies'),
        title: t('Roles are made of policies'),
        text: t('A policy is a set of permissions that roles can share. Its examples are checked on every change.'),
      },
      {
        selector: targetSelector('page-actions'),
        title: t('Create a role'),
        text: t('A new role has no permissions until you grant them.'),
      },
    ],
  },
  role: {
    version: 1,
    steps: [
      {
        selector: targetSelector('role-matrix'),
        title: t('Permissions of this role'),
        text: t('One row per collection. Each cell shows which records and fields; select it to edit.'),
      },
      {
        selector: targetSelector('role-policies'),
        title: t('Policies of this role'),
        text: t('Editing a policy affects every role that uses it.'),
        isOptional: true,
      },
      {
        selector: targetSelector('role-people'),
        title: t('Members'),
        text: t('People with this role. Changes take effect with their next request.'),
        isOptional: true,
      },
    ],
  },
  workspace: {
    version: 1,
    steps: [
      {
        selector: targetSelector('profile-fields'),
        title: t('User attributes'),
        text: t('Values stored for each user, such as a region or team. Roles and filters can use them.'),
      },
      {
        selector: targetSelector('storage'),
        title: t('Storage'),
        text: t('Storage used by files, and the limit.'),
      },
      {
        selector: targetSelector('session-policy'),
        title: t('Session duration'),
        text: t('Shorter times take effect immediately for everyone who is signed in.'),
      },
    ],
  },
  outbox: {
    version: 1,
    steps: [
      {
        selector: targetSelector('page-title'),
        title: t('Outgoing emails'),
        text: t('Invitations and password reset links. Without a mail server, copy the links here.'),
      },
      {
        selector: targetSelector('section-nav'),
        title: t('Other settings'),
        text: t('Switch between workspace, roles, emails and the audit log.'),
      },
      {
        selector: targetSelector('help'),
        title: t('More help'),
        text: t('Select the question mark for help on this page, filters, shortcuts and settings.'),
      },
    ],
  },
  audit: {
    version: 1,
    steps: [
      {
        selector: targetSelector('page-title'),
        title: t('Activity'),
        text: t('Sign-ins, exports, and changes to accounts and permissions. Entries can’t be edited.'),
      },
      {
        selector: targetSelector('audit-filter'),
        title: t('Find an event'),
        text: t('Filter by text, person, type and date.'),
      },
      {
        selector: targetSelector('page-actions'),
        title: t('Export the log'),
        text: t('Exports the filtered entries as CSV.'),
      },
    ],
  },
} as const satisfies { readonly [tour: string]: TourDefinition }
