import { t } from '#web/i18n/t.ts'
import type { SettingHelp } from './setting-help.ts'

const LISTS = t('Lists')
const SIDEBAR = t('Sidebar')
const OWN = t('Appearance')

/** What everybody sets about what they look at: lists, the sidebar, Dossier itself. */
export const LIST_SETTINGS = {
  'list-height': {
    label: t('Height of a row'),
    place: LISTS,
    text: t(
      'Short rows show the most records at a time, tall ones the most of each. By default medium. It is kept in this browser, or in a view you save.',
    ),
  },
  'list-wrapped': {
    label: t('Wrap long values'),
    place: LISTS,
    text: t('A long value goes on in further lines, and all rows get taller. Off by default: it is cut off.'),
  },
  'list-filters': {
    label: t('Filters below the columns'),
    place: LISTS,
    text: t(
      'An input below the head of each column. What you type there becomes part of the filter of the list. Off by default.',
    ),
  },
  'list-figures': {
    label: t('Figures below the columns'),
    place: LISTS,
    text: t(
      'A count, a sum, an average or an end of all records of the list and of each group. Press the place below a column to choose. Off by default.',
    ),
  },
  'list-columns': {
    label: t('Columns'),
    place: LISTS,
    text: t(
      'Which fields the list shows, and in what order. By default all of them. The menu at the head of a column freezes it or fits its width. It is kept in this browser, or in a view you save.',
    ),
  },
  'colour-what': {
    label: t('What a rule colours'),
    place: LISTS,
    text: t('By default the whole row. With one column chosen, only the value there.'),
  },
  'colour-condition': {
    label: t('Which records a rule colours'),
    place: LISTS,
    text: t(
      'Those that meet the condition. Where several rules fit, the first one decides. The number of the rule stands at the edge of the row, so that nothing depends on the colour alone.',
    ),
  },
  'collection-group': {
    label: t('Group of a collection'),
    place: SIDEBAR,
    text: t(
      'Under which name it stands in the sidebar, for everybody. By default under none. A group is there as long as a collection stands in it.',
    ),
  },
  'group-name': {
    label: t('Name of a group'),
    place: SIDEBAR,
    text: t('What stands above its collections in the sidebar. Two groups of the same name become one.'),
  },
  scheme: {
    label: t('Light or dark'),
    place: OWN,
    text: t('By default like the system. It counts in this browser; you set it in the menu of your account.'),
  },
  density: {
    label: t('Density'),
    place: OWN,
    text: t(
      'How much room menus, forms and lists take. By default comfortable where you touch the screen. It counts in this browser; you set it in the menu of your account.',
    ),
  },
  language: {
    label: t('Language'),
    place: OWN,
    text: t(
      'What Dossier and its letters say to you. It follows you to other browsers; you set it in the menu of your account. What people wrote stays as it is.',
    ),
  },
  'single-keys': {
    label: t('Single keys'),
    place: OWN,
    text: t(
      'Whether C, / and ? do something by themselves. On by default. Keys that are held with others always work.',
    ),
  },
} as const satisfies { readonly [setting: string]: SettingHelp }
