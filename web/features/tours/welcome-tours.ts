import type { TourDefinition } from '#web/ui/tour/tour-machine.ts'
import { t } from '#web/i18n/t.ts'
import { step, targetSelector } from './tour-steps.ts'
import { WELCOME_TOUR, OWNER_TOUR } from './tour-offers.ts'

export const welcomeTour: TourDefinition = {
  version: WELCOME_TOUR.version,
  steps: [
    step(
      'collections',
      t('Collections hold your records'),
      t('Each collection has its own fields. Open one to see its records.'),
      { route: 'home' },
    ),
    step(
      'grid',
      t('One row per record'),
      t('Click a column to sort. Filter, group and select from the toolbar. The URL remembers filters and sorting.'),
      { route: 'collection' },
    ),
    step(
      'grid-search',
      t('Search all fields'),
      t('Finds records that contain all words, in any field and order. Accents and case are ignored.'),
      { route: 'collection' },
    ),
    // On phones, records are cards.
    step('grid', t('Open a record'), t('Click its title, or press Enter, to see the full record.'), {
      selector: `${targetSelector('grid')} .grid-row:not([aria-busy]) a, ${targetSelector('grid')} .card-list a`,
      route: 'collection',
    }),
    step(
      'record-title',
      t('This is a record'),
      t('Edit any value in place. Changes are saved automatically and never overwrite someone else’s.'),
      { route: 'record' },
    ),
    step(
      'record-editor',
      t('Add longer notes'),
      t('Use headings, lists, links and undo. Formatting shortcuts such as Ctrl/Cmd+B work too.'),
      { route: 'record' },
    ),
    step(
      'record-files',
      t('Attach files to records'),
      t('Drop files here. Large uploads resume after interruptions, and images open in a viewer.'),
      { route: 'record' },
    ),
    step('help', t('Get help on any page'), t('Find a short tour of each page, and help on every setting and filter.')),
  ],
}

export const ownerTour: TourDefinition = {
  version: OWNER_TOUR.version,
  steps: [
    step(
      'fields',
      t('Customize your fields'),
      t('Add, rename, reorder and edit fields at any time. You’ll see a warning before data is lost.'),
      { route: 'collection-settings' },
    ),
    step(
      'rules',
      t('Validate records with rules'),
      t('Define what valid records look like. Rules apply everywhere: in the grid, imports and the API.'),
      { route: 'collection-settings' },
    ),
    step(
      'workflow',
      t('Define how records change status'),
      t('Define statuses, who can change them, required fields and locked fields.'),
      { route: 'collection-settings' },
    ),
    step(
      'roles',
      t('Control access with roles'),
      t('By collection, record and field. People don’t see anything they have no access to.'),
      { route: 'roles' },
    ),
    step(
      'people',
      t('Invite your team'),
      t('Assign roles to people. “Check access” explains any permission, and “View as” shows Dossier as they see it.'),
      { route: 'people' },
    ),
  ],
}
