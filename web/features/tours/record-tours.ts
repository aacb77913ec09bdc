import type { TourDefinition } from '#web/ui/tour/tour-machine.ts'
import { t } from '#web/i18n/t.ts'
import { targetSelector } from './tour-targets.ts'

export const recordTours = {
  home: {
    version: 1,
    steps: [
      {
        selector: targetSelector('collections'),
        title: t('Your collections'),
        text: t('Each card is a collection with its number of records. You see the collections you have access to.'),
      },
      {
        selector: targetSelector('navigation'),
        title: t('Navigation'),
        text: t('Go to home, your collections and settings from any page.'),
      },
      {
        selector: targetSelector('search'),
        title: t('Search everything'),
        text: t('Search all collections you have access to. Open it anywhere with Ctrl or Cmd + K.'),
      },
      {
        selector: targetSelector('help'),
        title: t('More help'),
        text: t('Select the question mark for help on this page, filters, shortcuts and settings.'),
      },
    ],
  },
  list: {
    version: 1,
    steps: [
      {
        selector: targetSelector('grid-search'),
        title: t('Find records'),
        text: t('Finds records that contain all words, in any field and order. Use “…” for an exact phrase.'),
      },
      {
        selector: targetSelector('grid-tools'),
        title: t('Choose what to show'),
        text: t('Filter, sort, group and choose columns. The URL keeps it all, so you can share it.'),
      },
      {
        selector: targetSelector('grid'),
        title: t('Edit in the list'),
        text: t(
          'Use arrow keys to move between cells, Enter to edit, Space to select. Copy and paste work as in a spreadsheet.',
        ),
      },
      {
        selector: targetSelector('help'),
        title: t('Shortcuts and filters'),
        text: t('Help lists all shortcuts and filter operators, with examples.'),
      },
    ],
  },
  record: {
    version: 1,
    steps: [
      {
        selector: targetSelector('record-title'),
        title: t('Record title'),
        text: t('The title identifies it in lists, links and search.'),
      },
      {
        selector: targetSelector('record-fields'),
        title: t('Field values'),
        text: t(
          'Edit any value in place; changes are saved automatically. If someone else edits the same value, you choose which version to keep.',
        ),
        isOptional: true,
      },
      {
        selector: targetSelector('record-editor'),
        title: t('Text of this record'),
        text: t('Type / to insert blocks, and @ to mention people and records.'),
        isOptional: true,
      },
      {
        selector: targetSelector('record-files'),
        title: t('Files of this record'),
        text: t('Drop files here. Uploads resume after interruptions.'),
        isOptional: true,
      },
      {
        selector: targetSelector('help'),
        title: t('More help'),
        text: t('Select the question mark for help on this page, filters, shortcuts and settings.'),
      },
    ],
  },
  import: {
    version: 1,
    steps: [
      {
        selector: targetSelector('page-title'),
        title: t('From spreadsheet to records'),
        text: t('Upload a CSV file and preview the result. Nothing is saved until you confirm.'),
      },
      {
        selector: targetSelector('import-file'),
        title: t('Select a file'),
        text: t('Drop the file here. Encoding, delimiter and field types are detected; you can change them.'),
        isOptional: true,
      },
      {
        selector: targetSelector('help'),
        title: t('All or nothing'),
        text: t('If an import fails or is canceled, its records are removed. You can download rows with errors.'),
      },
    ],
  },
} as const satisfies { readonly [tour: string]: TourDefinition }
