import type { GridTotal } from './paging.ts'
import type { SortMark } from './sorting.ts'

const whole = new Intl.NumberFormat()

/** Every word the grid says, so that the app can say it in its own language and in its own nouns. */
export type GridTexts = {
  readonly count: (count: number) => string
  readonly rows: (count: number) => string
  readonly selectRow: (name: string) => string
  readonly selectPage: string
  readonly selectEverything: string
  readonly loading: string
  readonly rowsFailed: string
  readonly tryAgain: string
  readonly selected: (count: number | undefined) => string
  readonly selectAllMatching: (count: number | undefined) => string
  readonly clearSelection: string
  readonly sortedBy: (header: string, direction: 'asc' | 'desc') => string
  readonly unsorted: string
  readonly sortHint: (mark: SortMark) => string
  readonly filterFor: (header: string) => string
  readonly columnWidth: (header: string, widthPx: number) => string
  readonly columnPlace: (header: string, place: number, count: number) => string
  readonly cells: (rows: number, columns: number) => string
  readonly copied: (cells: number) => string
  readonly notCopied: string
  readonly readOnly: string
  readonly firstPage: string
  readonly previousPage: string
  readonly nextPage: string
  readonly lastPage: string
  readonly page: string
  readonly ofPages: (last: number | undefined) => string
  readonly rowsOf: (first: number, last: number, total: GridTotal) => string
  readonly rowsInAll: (total: GridTotal) => string
  readonly pages: string
  readonly perPage: string
  readonly all: string
  readonly search: string
  readonly clearSearch: string
}

/** The grid's words in English. */
export const GRID_TEXTS_EN: GridTexts = {
  count: (count) => whole.format(count),
  rows: (count) => (count === 1 ? '1 row' : `${whole.format(count)} rows`),
  selectRow: (name) => (name === '' ? 'Select row' : `Select ${name}`),
  selectPage: 'Select all rows on this page',
  selectEverything: 'Select all rows',
  loading: 'Loading',
  rowsFailed: 'Some rows could not be loaded.',
  tryAgain: 'Try again',
  selected: (count) => (count === undefined ? 'All selected' : `${whole.format(count)} selected`),
  selectAllMatching: (count) =>
    count === undefined ? 'Select all matching' : `Select all ${whole.format(count)} matching`,
  clearSelection: 'Clear selection',
  sortedBy: (header, direction) => `Sorted by ${header}, ${direction === 'asc' ? 'ascending' : 'descending'}`,
  unsorted: 'Not sorted',
  sortHint: (mark) =>
    `${mark.direction === 'asc' ? 'ascending' : 'descending'}${mark.isOneOfSeveral ? `, sort ${mark.rank}` : ''}`,
  filterFor: (header) => `Filter ${header}`,
  columnWidth: (header, widthPx) => `${header} is ${widthPx} pixels wide`,
  columnPlace: (header, place, count) => `${header} is column ${place} of ${count}`,
  cells: (rows, columns) => `${whole.format(rows)} × ${whole.format(columns)} cells`,
  copied: (cells) => (cells === 1 ? 'Cell copied' : `${whole.format(cells)} cells copied`),
  notCopied: 'Not copied: some of these rows are not loaded yet',
  readOnly: 'This cell cannot be edited',
  firstPage: 'First page',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  lastPage: 'Last page',
  page: 'Page',
  ofPages: (last) => (last === undefined ? 'of many' : `of ${whole.format(last)}`),
  rowsOf: (first, last, total) => {
    const shown = first === last ? whole.format(first) : `${whole.format(first)}–${whole.format(last)}`
    if (total.is === 'unknown') return shown
    return `${shown} of ${whole.format(total.count)}${total.is === 'atLeast' ? '+' : ''}`
  },
  rowsInAll: (total) => {
    if (total.is === 'unknown') return 'All rows'
    return total.is === 'exact' && total.count === 1
      ? '1 row'
      : `${whole.format(total.count)}${total.is === 'atLeast' ? '+' : ''} rows`
  },
  pages: 'Pages',
  perPage: 'Rows per page',
  all: 'All',
  search: 'Search',
  clearSearch: 'Clear the search',
}
