import type { TourDefinition } from '#web/ui/tour/tour-machine.ts'
import { t } from '#web/i18n/t.ts'
import { targetSelector } from './tour-targets.ts'
import type { TourPage } from './tour-stop.ts'
import { WELCOME_TOUR, OWNER_TOUR } from './tour-offers.ts'

const on = (page: TourPage): string => page

export const welcomeTour: TourDefinition = {
  version: WELCOME_TOUR.version,
  steps: [
    {
      selector: targetSelector('collections'),
      route: on('home'),
      title: t('Collections hold your records'),
      text: t('Each collection has its own fields. Open one to see its records.'),
    },
    {
      selector: targetSelector('grid'),
      route: on('collection'),
      title: t('One row per record'),
      text: t(
        'Click a column to sort. Filter, group and select from the toolbar. The URL remembers filters and sorting.',
      ),
    },
    {
      selector: targetSelector('grid-search'),
      route: on('collection'),
      title: t('Search all fields'),
      text: t('Finds records that contain all words, in any field and order. Accents and case are ignored.'),
    },
    {
      // On phones, records are cards.
      selector: `${targetSelector('grid')} .grid-row:not([aria-busy]) a, ${targetSelector('grid')} .card-list a`,
      route: on('collection'),
      title: t('Open a record'),
      text: t('Click its title, or press Enter, to see the full record.'),
    },
    {
      selector: targetSelector('record-title'),
      route: on('record'),
      title: t('This is a record'),
      text: t('Edit any value in place. Changes are saved automatically and never overwrite someone else’s.'),
    },
    {
      selector: targetSelector('record-editor'),
      route: on('record'),
      title: t('Add longer notes'),
      text: t('Use headings, lists, links and undo. Formatting shortcuts such as Ctrl/Cmd+B work too.'),
    },
    {
      selector: targetSelector('record-files'),
      route: on('record'),
      title: t('Attach files to records'),
      text: t('Drop files here. Large uploads resume after interruptions, and images open in a viewer.'),
    },
    {
      selector: targetSelector('help'),
      title: t('Get help on any page'),
      text: t('Find a short tour of each page, and help on every setting and filter.'),
    },
  ],
}

export const ownerTour: TourDefinition = {
  version: OWNER_TOUR.version,
  steps: [
    {
      selector: targetSelector('fields'),
      route: on('collection-settings'),
      title: t('Customize your fields'),
      text: t('Add, rename, reorder and edit fields at any time. You’ll see a warning before data is lost.'),
    },
    {
      selector: targetSelector('rules'),
      route: on('collection-settings'),
      title: t('Validate records with rules'),
      text: t('Define what valid records look like. Rules apply everywhere: in the grid, imports and the API.'),
    },
    {
      selector: targetSelector('workflow'),
      route: on('collection-settings'),
      title: t('Define how records change status'),
      text: t('Define statuses, who can change them, required fields and locked fields.'),
    },
    {
      selector: targetSelector('roles'),
      route: on('roles'),
      title: t('Control access with roles'),
      text: t('By collection, record and field. People don’t see anything they have no access to.'),
    },
    {
      selector: targetSelector('people'),
      route: on('people'),
      title: t('Invite your team'),
      text: t(
        'Assign roles to people. “Check access” explains any permission, and “View as” shows Dossier as they see it.',
      ),
    },
  ],
}
