import { numberText } from '#web/i18n/locale.ts'
import { plural, t } from '#web/i18n/t.ts'
import type { Span } from './rows/row-window.ts'
import type { ReactNode, Ref } from 'react'
import type { CellBlock } from './selection/cell-range.ts'
import type { GridColumn, GridDensity, GridLayout, GridSort, SortMark } from './columns/grid-column.ts'
import type { CellMenu, ColumnCommands, DroppedFiles, GridFill, GridHandle, GridPaste } from './editing/grid-editing.ts'
import type { GridSummary } from './summary/summary-row.tsx'
import type { GridGrouping } from './groups/group-rows.ts'
import type { RowColors } from './rows/body-row.tsx'
import type { GridSelection } from './selection/selection.ts'
import type { PageSize } from '#domain/specification.ts'

/** The number of matching rows: exact, counted up to a limit, or unknown. */
export type GridTotal =
  | { readonly is: 'exact'; readonly count: number }
  | { readonly is: 'atLeast'; readonly count: number }
  | { readonly is: 'unknown' }

/** The page and the page size; pages are counted from 1, and "all" has only the first. */
export type GridPage = { readonly page: number; readonly pageSize: PageSize }

/** The page after the page size has changed: always the first, because "all" has no second page. */
export function withPageSize(pageSize: PageSize): GridPage {
  return { page: 1, pageSize }
}

/** The number of the last page; undefined while unknown. An empty list has one page. */
export function lastPage({ pageSize }: GridPage, total: GridTotal): number | undefined {
  if (pageSize === 'all') return 1
  return total.is === 'exact' ? Math.max(1, Math.ceil(total.count / pageSize)) : undefined
}

/** The range of rows on a page, counted from 1; both are 0 on an empty page. */
export function rowsOfPage({ page, pageSize }: GridPage, rowsOnPage: number): { first: number; last: number } {
  if (rowsOnPage === 0) return { first: 0, last: 0 }
  const before = pageSize === 'all' ? 0 : (page - 1) * pageSize
  return { first: before + 1, last: before + rowsOnPage }
}

/** Whether there is a next page: known from the total, otherwise assumed if the page is full. */
export function hasNextPage(at: GridPage, total: GridTotal, rowsOnPage: number): boolean {
  const last = lastPage(at, total)
  if (last !== undefined) return at.page < last
  if (at.pageSize === 'all') return false
  const isKnownToGoOn = total.is === 'atLeast' && at.page * at.pageSize < total.count
  return isKnownToGoOn || rowsOnPage >= at.pageSize
}

/** The page number typed into the page input; undefined if it isn't a number, so that the input is reset. */
export function typedPage(typed: string, last: number | undefined): number | undefined {
  const page = Number(typed.trim())
  if (typed.trim() === '' || !Number.isInteger(page)) return undefined
  return Math.min(Math.max(page, 1), last ?? Number.MAX_SAFE_INTEGER)
}

const countText = ({ is, count }: Exclude<GridTotal, { is: 'unknown' }>): string =>
  is === 'atLeast' ? `${numberText(count)}+` : numberText(count)

/** All texts in the grid, so that the app can translate them and use its own terms. */
export const GRID_TEXTS_EN = {
  count: (count: number) => numberText(count),
  rows: (count: number) => plural(count, '{n} row', '{n} rows'),
  openRow: (name: string) => (name === '' ? t('Open row') : t('Open {name}', { name })),
  renameColumn: (header: string) => t('Rename {header}', { header }),
  selectRow: (name: string) => (name === '' ? t('Select row') : t('Select {name}', { name })),
  selectPage: t('Select all rows on this page'),
  selectEverything: t('Select all rows'),
  loading: t('Loading'),
  rowsFailed: t('Couldn’t load some rows.'),
  tryAgain: t('Try again'),
  selected: (count: number | undefined) => (count === undefined ? t('All selected') : t('{count} selected', { count })),
  selectAllMatching: (count: number | undefined) =>
    count === undefined ? t('Select all matching') : t('Select all {count} matching', { count }),
  clearSelection: t('Clear selection'),
  outOfView: (count: number) => t('{count} not in this list', { count }),
  showSelected: t('Show selected'),
  sortedBy: (header: string, direction: 'asc' | 'desc') =>
    direction === 'asc'
      ? t('Sorted by {header}, ascending', { header })
      : t('Sorted by {header}, descending', { header }),
  unsorted: t('Not sorted'),
  sortHint: ({ direction, isOneOfSeveral, rank }: SortMark) => {
    const said = direction === 'asc' ? t('ascending') : t('descending')
    return isOneOfSeveral ? t('{said}, sort {rank}', { said, rank }) : said
  },
  filterFor: (header: string) => t('Filter {header}', { header }),
  columnWidth: (header: string, widthPx: number) => t('{header} is {widthPx} pixels wide', { header, widthPx }),
  columnPlace: (header: string, place: number, count: number) =>
    t('{header} is column {place} of {count}', { header, place, count }),
  cells: (rows: number, columns: number) => t('{rows} × {columns} cells', { rows, columns }),
  copied: (cells: number) => plural(cells, 'Cell copied', '{n} cells copied'),
  notCopied: t('Couldn’t copy: some of these rows aren’t loaded yet'),
  readOnly: t('This cell can’t be edited'),
  firstPage: t('First page'),
  previousPage: t('Previous page'),
  nextPage: t('Next page'),
  lastPage: t('Last page'),
  page: t('Page'),
  ofPages: (last: number | undefined) => (last === undefined ? t('of many') : t('of {last}', { last })),
  rowsOf: (first: number, last: number, total: GridTotal) => {
    const shown = first === last ? numberText(first) : `${numberText(first)}–${numberText(last)}`
    if (total.is === 'unknown') return shown
    return t('{shown} of {total}', { shown, total: countText(total) })
  },
  rowsInAll: (total: GridTotal) => {
    if (total.is === 'unknown') return t('All rows')
    return total.is === 'exact'
      ? plural(total.count, '{n} row', '{n} rows')
      : t('{total} rows', { total: countText(total) })
  },
  pages: t('Pages'),
  perPage: t('Rows per page'),
  all: t('All'),
  showAll: (count: number) => t('Show all {count}', { count: numberText(count) }),
  search: t('Search'),
  clearSearch: t('Clear search'),
}

export type GridTexts = typeof GRID_TEXTS_EN

type PageSource<Row> = {
  readonly kind: 'page'
  readonly rows: readonly Row[]
  /** Ordinal of the first row in the whole list, counted from 0. */
  readonly first: number
  readonly total: GridTotal
  /** Set while loading: existing rows stay visible; if there are none, this many skeletons are shown. */
  readonly loadingRows?: number
}

/** All rows, read by ordinal as they scroll into view. A new object indicates that rows have changed. */
export type WindowSource<Row> = {
  readonly kind: 'window'
  readonly total: number
  readonly rowAt: (ordinal: number) => Row | undefined
  /** Incremented whenever rows change. */
  readonly version: number
  /** Reports which rows are currently needed; requests for others can be aborted. */
  readonly onNeedRows: (rows: readonly Span[]) => void
  readonly failure?: { readonly retry: () => void } | undefined
}

export type GridSource<Row> = PageSource<Row> | WindowSource<Row>

export function totalOf<Row>(source: GridSource<Row>): GridTotal {
  return source.kind === 'page' ? source.total : { is: 'exact', count: source.total }
}

/** A row by its ordinal in the whole list; undefined if it isn't loaded. */
export function rowAt<Row>(source: GridSource<Row>, ordinal: number): Row | undefined {
  return source.kind === 'page' ? source.rows[ordinal - source.first] : source.rowAt(ordinal)
}

/** The ordinals covered by a source, including skeletons. */
export function spanOf<Row>(source: GridSource<Row>): Span {
  if (source.kind === 'window') return { first: 0, end: source.total }
  const count = source.rows.length > 0 ? source.rows.length : (source.loadingRows ?? 0)
  return { first: source.first, end: source.first + count }
}

export type GridProps<Row> = {
  readonly label: string
  /** Must be stable between renders. */
  readonly columns: readonly GridColumn<Row>[]
  readonly source: GridSource<Row>
  readonly idOf: (row: Row) => string
  readonly nameOf?: (row: Row) => string
  /**
   * Identifies the list: filter, order, page and page size. A list with a new key starts at the top; going back
   * restores its position.
   */
  readonly listKey?: string
  readonly sort: readonly GridSort[]
  readonly onSort?: (sort: readonly GridSort[]) => void
  /** If not given, rows have no checkboxes. */
  readonly selection?: GridSelection
  readonly onSelection?: (selection: GridSelection) => void
  readonly grouping?: GridGrouping
  readonly footer?: GridSummary
  /** A row's color; must be a stable object while unchanged. */
  readonly paintOf?: (row: Row) => RowColors | undefined
  readonly layout?: GridLayout
  readonly onLayout?: (layout: GridLayout) => void
  readonly density?: GridDensity
  /** Wraps long values; every row has room for them. */
  readonly isWrapped?: boolean
  readonly areFiltersShown?: boolean
  /** Called with the selected cells if there is more than one; undefined if none are selected any more. */
  readonly onRange?: (block: CellBlock | undefined) => void
  /** Loads selected rows to copy them; undefined if rejected, which the app reports itself. */
  readonly onCopyUnloaded?: (rows: readonly Span[]) => Promise<readonly Row[] | undefined>
  /** Loads rows to select them; undefined if rejected, which the app reports itself. */
  readonly onSelectUnloaded?: (rows: readonly Span[]) => Promise<readonly Row[] | undefined>
  /** If these aren't given, nothing can be pasted, filled, cleared, undone or redone. */
  readonly onPaste?: (paste: GridPaste) => void
  readonly onFill?: (fill: GridFill) => void
  /** Clears cells, on Delete or after Cut has copied them. */
  readonly onClear?: (block: CellBlock) => void
  readonly onUndo?: () => void
  readonly onRedo?: () => void
  /** Called for files dropped on or pasted into a cell whose column accepts them, or dropped on a row that does. */
  readonly onFiles?: (files: DroppedFiles<Row>) => void
  readonly rowTakesFiles?: (row: Row) => boolean
  /** Opens a cell's context menu. Default: the browser's own. */
  readonly onCellMenu?: (menu: CellMenu<Row>) => void
  readonly handleRef?: Ref<GridHandle>
  readonly currentId?: string | undefined
  /** Opens a row: by Ctrl+Enter or its title, and by Enter or a double click if the cell is read-only. */
  readonly onOpenRow?: (row: Row) => void
  /** Turns titles into links, so that a row can also be opened in a new tab. */
  readonly hrefOf?: (row: Row) => string
  readonly renderHeaderMenu?: (column: GridColumn<Row>, tabIndex: -1, commands: ColumnCommands) => ReactNode
  /** A button after the last header, for example to add a column. */
  readonly renderHeaderEnd?: (tabIndex: -1) => ReactNode
  /** Renames a column that can be renamed; the new name is shown until the promise settles. */
  readonly onRenameColumn?: (columnId: string, name: string) => Promise<void>
  readonly empty?: ReactNode
  readonly failure?: ReactNode
  readonly texts?: GridTexts
}
