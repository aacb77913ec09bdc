import type { TourDefinition } from '#web/kit/tour/tour-machine.ts'
import { FIRST_STEPS_VERSION } from './tour-version.ts'

/**
 * What the tour points at, as `data-tour="…"`: `collections` on the home page, `grid` and `grid-search` on a
 * collection's page, `record-title`, `record-editor` and `record-files` on a record's.
 */
export const TOUR_MARKS = [
  'collections',
  'grid',
  'grid-search',
  'record-title',
  'record-editor',
  'record-files',
] as const

/** The name of something the tour points at. */
export type TourMark = (typeof TOUR_MARKS)[number]

/** Pages whose address depends on what the workspace holds; `tour-stop.ts` finds them. */
export type TourPage = 'home' | 'collection' | 'record'

const at = (mark: TourMark): string => `[data-tour="${mark}"]`

const on = (page: TourPage): string => page

/** The welcome tour: from the collections to a record with its text and its files. */
export const firstSteps: TourDefinition = {
  version: FIRST_STEPS_VERSION,
  steps: [
    {
      selector: at('collections'),
      route: on('home'),
      title: 'Collections hold your records',
      text: 'Each collection keeps one kind of thing, with fields you define. Open one to see what is in it.',
    },
    {
      selector: at('grid'),
      route: on('collection'),
      title: 'Every record, one line each',
      text: 'Sort by a click on a column. Filter, group and select from the bar above. The address keeps what you see.',
    },
    {
      selector: at('grid-search'),
      route: on('collection'),
      title: 'Search in everything',
      text: 'All words must occur, in any field and any order. Accents and capitals do not matter.',
    },
    {
      selector: `${at('grid')} .grid-row:not([aria-busy]) a`,
      route: on('collection'),
      title: 'Open a record',
      text: 'Click its title, or press Enter on it, to see all of it.',
    },
    {
      selector: at('record-title'),
      route: on('record'),
      title: 'A record is a dossier',
      text: 'Change any value in its place. It is saved as you go, and nobody else’s change is overwritten.',
    },
    {
      selector: at('record-editor'),
      route: on('record'),
      title: 'Write what fields cannot say',
      text: 'Headings, lists and links, with undo. Ctrl or Cmd with B, I and U work too.',
    },
    {
      selector: at('record-files'),
      route: on('record'),
      title: 'Keep the files with the record',
      text: 'Drop files here. Large ones go up in parts and go on after a break; pictures open in a viewer.',
    },
  ],
}
