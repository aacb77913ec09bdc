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

/** Number of matching rows: exact, counted up to a limit, or unknown. */
export type GridTotal =
  | { readonly is: 'exact'; readonly count: number }
  | { readonly is: 'atLeast'; readonly count: number }
  | { readonly is: 'unknown' }

/** Page number, starting at 1, and page size; "all" has only one page. */
export type GridPage = { readonly page: number; readonly pageSize: PageSize }

/** The page to show after the page size changes: always the first. */
export function withPageSize(pageSize: PageSize): GridPage {
  return { page: 1, pageSize }
}

/** Number of the last page; undefined if the total is unknown. An empty list has one page. */
export function lastPage({ pageSize }: GridPage, total: GridTotal): number | undefined {
  if (pageSize === 'all') return 1
  return total.is === 'exact' ? Math.max(1, Math.ceil(total.count / pageSize)) : undefined
}

/** The one-based range of rows on a page; both numbers are 0 on an empty page. */
export function rowsOfPage({ page, pageSize }: GridPage, rowsOnPage: number): { first: number; last: number } {
  if (rowsOnPage === 0) return { first: 0, last: 0 }
  const before = pageSize === 'all' ? 0 : (page - 1) * pageSize
  return { first: before + 1, last: before + rowsOnPage }
}

/** Whether there is a next page, based on the total; if that is unknown, a full page implies one. */
export function hasNextPage(at: GridPage, total: GridTotal, rowsOnPage: number): boolean {
  const last = lastPage(at, total)
  if (last !== undefined) return at.page < last
  if (at.pageSize === 'all') return false
  const isKnownToGoOn = total.is === 'atLeast' && at.page * at.pageSize < total.count
  return isKnownToGoOn || rowsOnPage >= at.pageSize
}

/** The number typed into the page input; undefined if it isn't a number, so that the input is reset. */
export function typedPage(typed: string, last: number | undefined): number | undefined {
  const page = Number(typed.trim())
  if (typed.trim() === '' || !Number.isInteger(page)) return undefined
  return Math.min(Math.max(page, 1), last ?? Number.MAX_SAFE_INTEGER)
}

const countText = ({ is, count }: Exclude<GridTotal, { is: 'unknown' }>): string =>
  is === 'atLeast' ? `${numberText(count)}+` : numberText(count)

/** All texts in the grid, so that the app can translate them or use its own terms. */
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
    return isOneOfSeveral ? t('{said}, sort priority {rank}', { said, rank }) : said
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
  /** Zero-based ordinal of the first row in the whole list. */
  readonly first: number
  readonly total: GridTotal
  /** Set while loading; the number of skeleton rows to show if there are no existing rows. */
  readonly loadingRows?: number
}

/** All rows, loaded by ordinal as they scroll into view. A new object indicates that rows have changed. */
export type WindowSource<Row> = {
  readonly kind: 'window'
  readonly total: number
  readonly rowAt: (ordinal: number) => Row | undefined
  /** Incremented whenever rows change. */
  readonly version: number
  /** Reports which rows are needed, so that requests for other rows can be aborted. */
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

/** The range of ordinals that a source covers, including skeletons. */
export function spanOf<Row>(source: GridSource<Row>): Span {
  if (source.kind === 'window') return { first: 0, end: source.total }
  const count = source.rows.length > 0 ? source.rows.length : (source.loadingRows ?? 0)
  return { first: source.first, end: source.first + count }
}

export type RowPlace<Row> = { readonly place: 'before' | 'after'; readonly neighbor: Row }

export type GridProps<Row> = {
  readonly label: string
  /** Must be stable between renders. */
  readonly columns: readonly GridColumn<Row>[]
  readonly source: GridSource<Row>
  readonly idOf: (row: Row) => string
  readonly nameOf?: (row: Row) => string
  /**
   * Identifies the list by filter, order, page and page size. A list with a new key starts at the top; going back
   * restores its scroll position.
   */
  readonly listKey?: string
  readonly sort: readonly GridSort[]
  readonly onSort?: (sort: readonly GridSort[]) => void
  /** If omitted, rows have no checkboxes. */
  readonly selection?: GridSelection
  readonly onSelection?: (selection: GridSelection) => void
  readonly grouping?: GridGrouping
  readonly footer?: GridSummary
  /** A row's color. Must return the same object while the color is unchanged. */
  readonly paintOf?: (row: Row) => RowColors | undefined
  readonly layout?: GridLayout
  readonly onLayout?: (layout: GridLayout) => void
  readonly density?: GridDensity
  /** Whether long values wrap, which makes every row taller. */
  readonly isWrapped?: boolean
  readonly areFiltersShown?: boolean
  /** Called when more than one cell is selected; undefined if the selection is cleared. */
  readonly onRange?: (block: CellBlock | undefined) => void
  /** Loads rows to copy; undefined on failure. The app reports the error. */
  readonly onCopyUnloaded?: (rows: readonly Span[]) => Promise<readonly Row[] | undefined>
  /** Loads rows to select; undefined on failure. The app reports the error. */
  readonly onSelectUnloaded?: (rows: readonly Span[]) => Promise<readonly Row[] | undefined>
  /** Without these callbacks, nothing can be pasted, filled, cleared, undone or redone. */
  readonly onPaste?: (paste: GridPaste) => void
  readonly onFill?: (fill: GridFill) => void
  /** Clears cells on Delete, or on Cut after they have been copied. */
  readonly onClear?: (block: CellBlock) => void
  /** Moves a row in the list's own order; `from` is where it was. Undefined while another row is moved. */
  readonly onMoveRow?: (row: Row, to: RowPlace<Row>, from: RowPlace<Row> | undefined) => Promise<boolean> | undefined
  readonly onUndo?: () => void
  readonly onRedo?: () => void
  /** Called for files dropped on a row or cell that accepts them, or pasted into such a cell. */
  readonly onFiles?: (files: DroppedFiles<Row>) => void
  readonly rowTakesFiles?: (row: Row) => boolean
  /** Opens a cell's context menu. Defaults to the browser's menu. */
  readonly onCellMenu?: (menu: CellMenu<Row>) => void
  readonly handleRef?: Ref<GridHandle>
  readonly currentId?: string | undefined
  /** Opens a row: with Ctrl+Enter, by clicking its title or, in a read-only cell, with Enter or a double-click. */
  readonly onOpenRow?: (row: Row) => void
  /** Renders titles as links, so that rows can also be opened in a new tab. */
  readonly hrefOf?: (row: Row) => string
  readonly renderHeaderMenu?: (column: GridColumn<Row>, tabIndex: -1, commands: ColumnCommands) => ReactNode
  /** A button after the last header, for example to add a column. */
  readonly renderHeaderEnd?: (tabIndex: -1) => ReactNode
  /** Renames a column; the new name is shown until the promise settles. */
  readonly onRenameColumn?: (columnId: string, name: string) => Promise<void>
  readonly empty?: ReactNode
  readonly failure?: ReactNode
  readonly texts?: GridTexts
}
