import { numberText } from '#web/i18n/locale.ts'
import { plural, t } from '#web/i18n/t.ts'
import type { GridTotal } from './paging/paging.ts'
import type { SortMark } from './header/sorting.ts'

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
  readonly outOfView: (count: number) => string
  readonly showSelected: string
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

const countText = ({ is, count }: Exclude<GridTotal, { is: 'unknown' }>): string =>
  is === 'atLeast' ? `${numberText(count)}+` : numberText(count)

/** The grid's words in English. */
export const GRID_TEXTS_EN: GridTexts = {
  count: (count) => numberText(count),
  rows: (count) => plural(count, '{n} row', '{n} rows'),
  selectRow: (name) => (name === '' ? t('Select row') : t('Select {name}', { name })),
  selectPage: t('Select all rows on this page'),
  selectEverything: t('Select all rows'),
  loading: t('Loading'),
  rowsFailed: t('Couldn’t load some rows.'),
  tryAgain: t('Try again'),
  selected: (count) => (count === undefined ? t('All selected') : t('{count} selected', { count })),
  selectAllMatching: (count) =>
    count === undefined ? t('Select all matching') : t('Select all {count} matching', { count }),
  clearSelection: t('Clear selection'),
  outOfView: (count) => t('{count} not in this list', { count }),
  showSelected: t('Show selected'),
  sortedBy: (header, direction) =>
    direction === 'asc'
      ? t('Sorted by {header}, ascending', { header })
      : t('Sorted by {header}, descending', { header }),
  unsorted: t('Not sorted'),
  sortHint: ({ direction, isOneOfSeveral, rank }) => {
    const said = direction === 'asc' ? t('ascending') : t('descending')
    return isOneOfSeveral ? t('{said}, sort {rank}', { said, rank }) : said
  },
  filterFor: (header) => t('Filter {header}', { header }),
  columnWidth: (header, widthPx) => t('{header} is {widthPx} pixels wide', { header, widthPx }),
  columnPlace: (header, place, count) => t('{header} is column {place} of {count}', { header, place, count }),
  cells: (rows, columns) => t('{rows} × {columns} cells', { rows, columns }),
  copied: (cells) => plural(cells, 'Cell copied', '{n} cells copied'),
  notCopied: t('Couldn’t copy: some of these rows aren’t loaded yet'),
  readOnly: t('This cell can’t be edited'),
  firstPage: t('First page'),
  previousPage: t('Previous page'),
  nextPage: t('Next page'),
  lastPage: t('Last page'),
  page: t('Page'),
  ofPages: (last) => (last === undefined ? t('of many') : t('of {last}', { last })),
  rowsOf: (first, last, total) => {
    const shown = first === last ? numberText(first) : `${numberText(first)}–${numberText(last)}`
    if (total.is === 'unknown') return shown
    return t('{shown} of {total}', { shown, total: countText(total) })
  },
  rowsInAll: (total) => {
    if (total.is === 'unknown') return t('All rows')
    return total.is === 'exact'
      ? plural(total.count, '{n} row', '{n} rows')
      : t('{total} rows', { total: countText(total) })
  },
  pages: t('Pages'),
  perPage: t('Rows per page'),
  all: t('All'),
  search: t('Search'),
  clearSearch: t('Clear search'),
}
