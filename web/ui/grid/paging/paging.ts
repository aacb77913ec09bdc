import type { PageSize } from '#domain/specification.ts'

/** How many rows match: counted, counted up to a limit, or not counted. */
export type GridTotal =
  | { readonly is: 'exact'; readonly count: number }
  | { readonly is: 'atLeast'; readonly count: number }
  | { readonly is: 'unknown' }

/** A page and how many rows it holds; pages count from 1, and "all" has only the first. */
export type GridPage = { readonly page: number; readonly pageSize: PageSize }

/** The page after the number of rows per page changed: always the first, or "all" would ask for its second page. */
export function withPageSize(pageSize: PageSize): GridPage {
  return { page: 1, pageSize }
}

/** The number of the last page; undefined while nobody knows. An empty list has one page. */
export function lastPage({ pageSize }: GridPage, total: GridTotal): number | undefined {
  if (pageSize === 'all') return 1
  return total.is === 'exact' ? Math.max(1, Math.ceil(total.count / pageSize)) : undefined
}

/** The rows a page shows, counted from 1; both are 0 on an empty page. */
export function rowsOfPage({ page, pageSize }: GridPage, rowsOnPage: number): { first: number; last: number } {
  if (rowsOnPage === 0) return { first: 0, last: 0 }
  const before = pageSize === 'all' ? 0 : (page - 1) * pageSize
  return { first: before + 1, last: before + rowsOnPage }
}

/** Whether a next page exists: known from the total, else believed while the page is full. */
export function hasNextPage(at: GridPage, total: GridTotal, rowsOnPage: number): boolean {
  const last = lastPage(at, total)
  if (last !== undefined) return at.page < last
  if (at.pageSize === 'all') return false
  const isKnownToGoOn = total.is === 'atLeast' && at.page * at.pageSize < total.count
  return isKnownToGoOn || rowsOnPage >= at.pageSize
}

/** The page meant by what was typed into the page box; undefined when it is not a number, so that the box snaps back. */
export function typedPage(typed: string, last: number | undefined): number | undefined {
  const page = Number(typed.trim())
  if (typed.trim() === '' || !Number.isInteger(page)) return undefined
  return Math.min(Math.max(page, 1), last ?? Number.MAX_SAFE_INTEGER)
}
