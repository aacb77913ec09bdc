import type { GridTotal } from './paging/paging.ts'
import type { Span } from './rows/row-window.ts'

/** The rows of one page. */
export type PageSource<Row> = {
  readonly kind: 'page'
  readonly rows: readonly Row[]
  /** The ordinal of the first row in the whole list, counted from 0. */
  readonly first: number
  readonly total: GridTotal
  /** Rows are on their way: with rows shown they stay, without them as many skeletons as given here stand in. */
  readonly loadingRows?: number
}

/** Every row, read by ordinal as it comes into the window. A new object tells the grid that rows have changed. */
export type WindowSource<Row> = {
  readonly kind: 'window'
  readonly total: number
  readonly rowAt: (ordinal: number) => Row | undefined
  /** Grows with every change of the rows. */
  readonly version: number
  /** Tells which rows are wanted now; whatever was wanted before and is not any more may be called off. */
  readonly onNeedRows: (rows: readonly Span[]) => void
  /** Rows in sight could not be read. */
  readonly failure?: { readonly retry: () => void } | undefined
}

/** Where a grid takes its rows from: the two ways of showing a list, one engine. */
export type GridSource<Row> = PageSource<Row> | WindowSource<Row>

/** The total of a source, in the words of the pager. */
export function totalOf<Row>(source: GridSource<Row>): GridTotal {
  return source.kind === 'page' ? source.total : { is: 'exact', count: source.total }
}

/** A row by its ordinal in the whole list; undefined while it is not loaded. */
export function rowAt<Row>(source: GridSource<Row>, ordinal: number): Row | undefined {
  return source.kind === 'page' ? source.rows[ordinal - source.first] : source.rowAt(ordinal)
}

/** The ordinals a source covers, skeletons included. */
export function spanOf<Row>(source: GridSource<Row>): Span {
  if (source.kind === 'window') return { first: 0, end: source.total }
  const count = source.rows.length > 0 ? source.rows.length : (source.loadingRows ?? 0)
  return { first: source.first, end: source.first + count }
}
