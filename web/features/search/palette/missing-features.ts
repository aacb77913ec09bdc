import { t } from '#web/i18n/t.ts'

/** A feature of similar products that Dossier lacks, searchable by its common names. */
export type MissingFeature = {
  readonly id: string
  readonly label: string
  /** Describes the alternative. */
  readonly note: string
  readonly alsoCalled: string
  /** ID of a command that opens the alternative; some commands exist only on certain pages. */
  readonly command?: string
  readonly href?: string
}

export const MISSING_FEATURES: readonly MissingFeature[] = [
  {
    id: 'record-history',
    label: t('Record history'),
    note: t('Open a record and choose Show history below its fields.'),
    alsoCalled: t('Versions, revisions, change log, activity, time travel'),
    command: 'record-history',
  },
  {
    id: 'board',
    label: t('Board (Kanban)'),
    note: t('Not available yet. Group a list by status instead.'),
    alsoCalled: t('Trello, columns by status, swimlanes'),
    command: 'group',
  },
  {
    id: 'calendar',
    label: t('Calendar view'),
    note: t('Not available yet. Filter or sort a list by a date field instead.'),
    alsoCalled: t('Month, week, agenda, iCal'),
    command: 'filter',
  },
  {
    id: 'timeline',
    label: t('Timeline (Gantt)'),
    note: t('Not available yet. Sort a list by its start date instead.'),
    alsoCalled: t('Roadmap, schedule, project plan'),
    command: 'sort',
  },
  {
    id: 'gallery',
    label: t('Gallery'),
    note: t('Set a list’s layout to Gallery to show records with cover images.'),
    alsoCalled: t('Tiles, thumbnails, photo wall'),
    command: 'layout',
  },
  {
    id: 'map',
    label: t('Map view'),
    note: t('Not available yet. Group a list by a field such as city instead.'),
    alsoCalled: t('Location, coordinates, geo'),
    command: 'group',
  },
  {
    id: 'formula',
    label: t('Formula fields'),
    note: t('Not available yet. Use a column summary for totals, or calculate values with a script through the API.'),
    alsoCalled: t('Calculation, computed field, function, expression, rollup, lookup'),
    href: '/api/docs',
  },
  {
    id: 'webhook',
    label: t('Webhooks'),
    note: t('Not available yet. Scripts can poll the API and filter by “Updated”.'),
    alsoCalled: t('Event, callback, trigger, subscription'),
    href: '/api/docs',
  },
  {
    id: 'automation',
    label: t('Automations'),
    note: t('Not available yet. Workflows and rules check every change; scripts can use the API.'),
    alsoCalled: t('Script, bot, macro, flow, button, AI, assistant'),
    href: '/api/docs',
  },
  {
    id: 'integration',
    label: t('Integrations and apps'),
    note: t('No built-in integrations. Connect other apps with an API token.'),
    alsoCalled: t('Zapier, Make, n8n, Slack, Teams, Google Sheets, plugin, extension, add-on, sync'),
    href: '/settings/tokens',
  },
  {
    id: 'form',
    label: t('Public forms and links'),
    note: t('Not available yet. Invite people with a role that can only create records.'),
    alsoCalled: t('Survey, questionnaire, share, publish, guest, embed'),
    command: 'invite',
  },
  {
    id: 'comment',
    label: t('Comments'),
    note: t('Not available yet. Write in a text field, and type @ to mention people.'),
    alsoCalled: t('Chat, discussion, note, reply, thread'),
  },
  {
    id: 'reminder',
    label: t('Reminders and alerts'),
    note: t('Not available yet. The home page lists records that need your attention.'),
    alsoCalled: t('Email notification, due date, deadline, subscribe, watch'),
    href: '/',
  },
  {
    id: 'archive',
    label: t('Archive'),
    note: t('Add a status such as “Archived”, and filter it out in a view.'),
    alsoCalled: t('Archived records, close, hide'),
    command: 'filter',
  },
  {
    id: 'excel',
    label: t('Excel files'),
    note: t('Save the sheet as CSV, then import it. Exports open in any spreadsheet.'),
    alsoCalled: t('XLSX, XLS, ODS, Numbers'),
    href: '/import',
  },
  {
    id: 'backup',
    label: t('Backup'),
    note: t('Your server administrator can create backups with the “backup” command.'),
    alsoCalled: t('Restore, snapshot, dump'),
  },
  {
    id: 'sso',
    label: t('SAML and LDAP'),
    note: t('Not available. Your server administrator can set up sign-in with OpenID Connect.'),
    alsoCalled: t('SSO, single sign-on, OIDC, OAuth, SCIM, Active Directory, Okta, Entra'),
  },
]
