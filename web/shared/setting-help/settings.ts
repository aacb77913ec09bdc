import { DEFINITION_SETTINGS, type SettingHelp } from './definition-settings.ts'
import { WORKSPACE_SETTINGS } from './workspace-settings.ts'
import { t } from '#web/i18n/t.ts'

const LISTS = t('Lists')
const SIDEBAR = t('Sidebar')
const OWN = t('Appearance')

const LIST_SETTINGS = {
  'list-layout': {
    label: t('Show records as'),
    place: LISTS,
    text: t(
      'A grid shows records as rows of a table, a gallery shows each record as a card, and a chart summarizes groups of records. On a phone, a grid is shown as cards. Saved in this browser, or in a view. Default: Grid.',
    ),
  },
  'board-columns': {
    label: t('Columns by'),
    place: LISTS,
    text: t(
      'The field whose values are the board’s columns. To add swimlanes, group the list. Default: the status, or the first select field.',
    ),
  },
  'cards-size': {
    label: t('Card size'),
    place: LISTS,
    text: t(
      'Small cards show more records at once. Rows show one card per row, with its fields side by side. Saved in this browser, or in a view. Default: Medium.',
    ),
  },
  'cards-fit': {
    label: t('Image fit'),
    place: LISTS,
    text: t(
      'Crop fills the area of the cover with the image. Fit shows the whole image. Saved in this browser, or in a view. Default: Crop.',
    ),
  },
  'cards-fields': {
    label: t('Fields per card'),
    place: LISTS,
    text: t(
      'How many fields a card shows below its title, in column order. Saved in this browser, or in a view. Default: 4.',
    ),
  },
  'cards-cover': {
    label: t('Cover image'),
    place: LISTS,
    text: t(
      'Shows the first image of a files field on each card. Saved in this browser, or in a view. Default: no cover.',
    ),
  },
  'dates-start': {
    label: t('Start date'),
    place: LISTS,
    text: t(
      'The date field that places records in a calendar or timeline. Records without a date are listed separately. Saved in this browser, or in a view. Default: the first date field.',
    ),
  },
  'dates-end': {
    label: t('End date'),
    place: LISTS,
    text: t(
      'The date field in which records end. It must have a time if the start has one. Saved in this browser, or in a view. Default: no end, so that each record takes up one day.',
    ),
  },
  'chart-type': {
    label: t('Chart type'),
    place: LISTS,
    text: t(
      'How the records of the list are summarized: as bars, lines, areas, shares of a whole, a single number, or a table of two groups. Saved in this browser, or in a view. Default: Bars.',
    ),
  },
  'chart-value': {
    label: t('Value'),
    place: LISTS,
    text: t(
      'What each group shows: its number of records, or a summary of a number field. Saved in this browser, or in a view. Default: Number of records.',
    ),
  },
  'chart-group': {
    label: t('Groups'),
    place: LISTS,
    text: t(
      'The field whose values become the bars, points or slices. Dates are grouped by day, week, month, quarter or year in the workspace’s time zone. Groups that don’t fit are shown as “Other”. Saved in this browser, or in a view.',
    ),
  },
  'chart-split': {
    label: t('Series'),
    place: LISTS,
    text: t(
      'Divides each group by a second field, for example into a stack of colors or into the columns of a pivot table. At most 8 series are shown. Saved in this browser, or in a view. Default: none.',
    ),
  },
  'chart-stacking': {
    label: t('Series are'),
    place: LISTS,
    text: t(
      'Stacked series show the total of each group, series side by side can be compared, and percent shows shares. Saved in this browser, or in a view. Default: Stacked.',
    ),
  },
  'chart-order': {
    label: t('Order'),
    place: LISTS,
    text: t(
      'Groups are in the order of a grouped list, or the largest value comes first. Dates are always in order. Saved in this browser, or in a view. Default: As in the list.',
    ),
  },
  'dashboard-name': {
    label: t('Name of a dashboard'),
    place: SIDEBAR,
    text: t(
      'Shown in the sidebar. A dashboard is private until you share it. Sharing it doesn’t give access to records: everyone sees only what they can read.',
    ),
  },
  'dashboard-item': {
    label: t('View'),
    place: SIDEBAR,
    text: t(
      'A dashboard shows saved views: charts as charts, and other views as a list of their first records. To add a new chart, open a collection, choose Chart under Layout, and save the view.',
    ),
  },
  'list-height': {
    label: t('Row height'),
    place: LISTS,
    text: t(
      'Short rows show more records at once. Tall rows show more of each record. Saved in this browser, or in a view. Default: Medium.',
    ),
  },
  'list-wrapped': {
    label: t('Wrap long values'),
    place: LISTS,
    text: t('Shows long values on several lines instead of cutting them off. Rows get taller. Off by default.'),
  },
  'list-filters': {
    label: t('Show column filters'),
    place: LISTS,
    text: t('Shows an input below each column header. What you type is added to the list’s filter. Off by default.'),
  },
  'list-figures': {
    label: t('Show summary bar'),
    place: LISTS,
    text: t(
      'Shows a count, sum, average or other summary below each column, for the whole list and each group. Click below a column to choose one. Off by default.',
    ),
  },
  'list-columns': {
    label: t('Columns'),
    place: LISTS,
    text: t(
      'Which fields are shown, and in what order. Use a column’s menu to freeze it or fit its width. Saved in this browser, or in a view. Default: all fields.',
    ),
  },
  'colour-what': {
    label: t('Where a color rule applies'),
    place: LISTS,
    text: t('Colors the whole row by default. If you choose a column, only its cell is colored.'),
  },
  'colour-condition': {
    label: t('Records a color rule applies to'),
    place: LISTS,
    text: t(
      'Records that match the condition. If several rules match, the first one applies. The rule number is shown at the edge of the row, so that color is never the only cue.',
    ),
  },
  'collection-group': {
    label: t('Collection group'),
    place: SIDEBAR,
    text: t(
      'The group that contains this collection in everyone’s sidebar. Empty groups disappear. Default: no group.',
    ),
  },
  'group-name': {
    label: t('Sidebar group name'),
    place: SIDEBAR,
    text: t('Shown above its collections in the sidebar. Groups with the same name are merged.'),
  },
  scheme: {
    label: t('Light or dark'),
    place: OWN,
    text: t('Default: System. Applies to this browser. Change it in your account menu.'),
  },
  density: {
    label: t('Density'),
    place: OWN,
    text: t(
      'How much space menus, forms and lists use. Default on touch screens: Comfortable. Applies to this browser. Change it in your account menu.',
    ),
  },
  language: {
    label: t('Language'),
    place: OWN,
    text: t(
      'The language of Dossier and its emails. Applies in every browser. Change it in your account menu. Your data isn’t translated.',
    ),
  },
  'single-keys': {
    label: t('Single-key shortcuts'),
    place: OWN,
    text: t('Whether C, / and ? work on their own. Shortcuts with modifier keys always work. On by default.'),
  },
} as const satisfies { readonly [setting: string]: SettingHelp }

/** All settings by name; a setting without help text causes a compile error. */
export const SETTINGS = { ...DEFINITION_SETTINGS, ...LIST_SETTINGS, ...WORKSPACE_SETTINGS } as const

export type SettingName = keyof typeof SETTINGS
