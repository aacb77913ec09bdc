import type { TourDefinition } from '#web/ui/tour/tour-machine.ts'
import { t } from '#web/i18n/t.ts'
import { targetSelector } from './tour-targets.ts'
import type { TourPage } from './tour-stop.ts'
import { WELCOME_TOUR, OWNER_TOUR } from './tour-version.ts'

const on = (page: TourPage): string => page

/** The welcome: from the collections to a record with its text and its files. */
export const welcomeTour: TourDefinition = {
  version: WELCOME_TOUR.version,
  steps: [
    {
      selector: targetSelector('collections'),
      route: on('home'),
      title: t('Collections hold your records'),
      text: t('Each collection keeps one kind of thing, with fields you define. Open one to see what is in it.'),
    },
    {
      selector: targetSelector('grid'),
      route: on('collection'),
      title: t('Every record, one line each'),
      text: t(
        'Sort by a click on a column. Filter, group and select from the bar above. The address keeps what you see.',
      ),
    },
    {
      selector: targetSelector('grid-search'),
      route: on('collection'),
      title: t('Search in everything'),
      text: t('All words must occur, in any field and any order. Accents and capitals do not matter.'),
    },
    {
      // On a phone the records are cards.
      selector: `${targetSelector('grid')} .grid-row:not([aria-busy]) a, ${targetSelector('grid')} .card-list a`,
      route: on('collection'),
      title: t('Open a record'),
      text: t('Click its title, or press Enter on it, to see all of it.'),
    },
    {
      selector: targetSelector('record-title'),
      route: on('record'),
      title: t('A record is a dossier'),
      text: t('Change any value in its place. It is saved as you go, and nobody else’s change is overwritten.'),
    },
    {
      selector: targetSelector('record-editor'),
      route: on('record'),
      title: t('Write what fields cannot say'),
      text: t('Headings, lists and links, with undo. Ctrl or Cmd with B, I and U work too.'),
    },
    {
      selector: targetSelector('record-files'),
      route: on('record'),
      title: t('Keep the files with the record'),
      text: t('Drop files here. Large ones go up in parts and go on after a break; pictures open in a viewer.'),
    },
    {
      selector: targetSelector('help'),
      title: t('Help is one press away'),
      text: t('Each page has a short tour of its own here, and every setting and every filter is explained.'),
    },
  ],
}

/** What only owners do: what a collection is made of, and who may do what with it. */
export const ownerTour: TourDefinition = {
  version: OWNER_TOUR.version,
  steps: [
    {
      selector: targetSelector('fields'),
      route: on('collection-settings'),
      title: t('Fields are yours to shape'),
      text: t('Add, rename, reorder and change them at any time. What a change would lose is told before it happens.'),
    },
    {
      selector: targetSelector('rules'),
      route: on('collection-settings'),
      title: t('Rules keep records right'),
      text: t('Say what must hold, in your own words. Nobody can store what breaks a rule, by whatever way.'),
    },
    {
      selector: targetSelector('workflow'),
      route: on('collection-settings'),
      title: t('A workflow says how records move'),
      text: t(
        'States, who may move a record from one to the next, what must be filled in before, what is frozen after.',
      ),
    },
    {
      selector: targetSelector('roles'),
      route: on('roles'),
      title: t('Roles say who may do what'),
      text: t('By collection, by record and by field. What somebody may not see does not exist for them.'),
    },
    {
      selector: targetSelector('people'),
      route: on('people'),
      title: t('Invite the others'),
      text: t(
        'Give each person their roles. “Why may they?” explains any right, and you can look at Dossier as they see it.',
      ),
    },
  ],
}
