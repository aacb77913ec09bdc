import type { TourDefinition } from '#web/ui/tour/tour-machine.ts'
import { t } from '#web/i18n/t.ts'
import { targetSelector } from './tour-targets.ts'

/** Tours of the pages where one works with records, each on the page that is open. */
export const recordTours = {
  home: {
    version: 1,
    steps: [
      {
        selector: targetSelector('collections'),
        title: t('Your collections'),
        text: t('Each card is one collection, with how many records it holds. You see those you may read.'),
      },
      {
        selector: targetSelector('navigation'),
        title: t('The way around'),
        text: t('Home, your collections and the settings you may open are here on every page.'),
      },
      {
        selector: targetSelector('search'),
        title: t('Search everything'),
        text: t('One search over all collections you may read. Ctrl or Cmd with K opens it from anywhere.'),
      },
      {
        selector: targetSelector('help'),
        title: t('More help'),
        text: t('The question mark explains each page, the filter language, every shortcut and every setting.'),
      },
    ],
  },
  list: {
    version: 1,
    steps: [
      {
        selector: targetSelector('grid-search'),
        title: t('Find records'),
        text: t('All words must occur, in any field and any order. Put “…” around a phrase.'),
      },
      {
        selector: targetSelector('grid-tools'),
        title: t('Choose what is shown'),
        text: t('Filter, sort, group and choose columns. The address keeps it all, so that you can send it to others.'),
      },
      {
        selector: targetSelector('grid'),
        title: t('Work in the list'),
        text: t(
          'Arrow keys walk the cells, Enter changes one, Space selects a record. Copy and paste work as in a sheet.',
        ),
      },
      {
        selector: targetSelector('help'),
        title: t('All keys and all filters'),
        text: t('Help lists every shortcut of the list and every operator of a filter, with examples.'),
      },
    ],
  },
  record: {
    version: 1,
    steps: [
      {
        selector: targetSelector('record-title'),
        title: t('What the record is called'),
        text: t('The title names it in lists, in relations and in the search.'),
      },
      {
        selector: targetSelector('record-fields'),
        title: t('Its values'),
        text: t(
          'Change any of them in its place; it is saved as you go. If somebody else changes the same one, both are kept for you to choose.',
        ),
        isOptional: true,
      },
      {
        selector: targetSelector('record-editor'),
        title: t('Its text'),
        text: t('Type / for everything that can stand in it, and @ to mention people and records.'),
        isOptional: true,
      },
      {
        selector: targetSelector('record-files'),
        title: t('Its files'),
        text: t('Drop files here. They go up in parts and go on after a break.'),
        isOptional: true,
      },
      {
        selector: targetSelector('help'),
        title: t('More help'),
        text: t('The question mark explains each page, the filter language, every shortcut and every setting.'),
      },
    ],
  },
  import: {
    version: 1,
    steps: [
      {
        selector: targetSelector('page-title'),
        title: t('From a sheet to records'),
        text: t('An import reads a CSV, shows you what would become of it, and stores nothing before you say so.'),
      },
      {
        selector: targetSelector('import-file'),
        title: t('Choose the file'),
        text: t(
          'Drop it here. Its encoding, its separator and the kinds of its columns are found out; you can correct all of it.',
        ),
        isOptional: true,
      },
      {
        selector: targetSelector('help'),
        title: t('All or nothing'),
        text: t(
          'An import that fails or is cancelled removes what it wrote. Rows that do not fit come back to you as a file.',
        ),
      },
    ],
  },
} as const satisfies { readonly [tour: string]: TourDefinition }
