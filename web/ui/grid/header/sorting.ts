/** One sorted column; the first of a list is the strongest. */
export type GridSort = { readonly columnId: string; readonly direction: 'asc' | 'desc' }

/**
 * What a click on a header makes of the sorting: ascending, descending, none, and again. A plain click drops all other
 * columns and begins at ascending unless the column was the only one; with shift the column is added or moves on its
 * own. A column that comes to "none" leaves the list.
 */
export function nextSorting(
  sorting: readonly GridSort[],
  columnId: string,
  click: { isAdding: boolean },
): readonly GridSort[] {
  const current = sorting.find((sort) => sort.columnId === columnId)
  if (!click.isAdding) {
    const isAlone = sorting.length === 1
    return following(isAlone ? current : undefined, columnId)
  }
  if (!current) return [...sorting, ...following(undefined, columnId)]
  return sorting.flatMap((sort) => (sort.columnId === columnId ? following(sort, columnId) : [sort]))
}

/** How a header says its column is sorted, for `aria-sort` and the arrow. */
export function sortOf(sorting: readonly GridSort[], columnId: string): SortMark | undefined {
  const index = sorting.findIndex((sort) => sort.columnId === columnId)
  const sort = sorting[index]
  return sort && { direction: sort.direction, rank: index + 1, isOneOfSeveral: sorting.length > 1 }
}

/** A column's part in the sorting; `rank` counts from 1. */
export type SortMark = {
  readonly direction: 'asc' | 'desc'
  readonly rank: number
  readonly isOneOfSeveral: boolean
}

function following(current: GridSort | undefined, columnId: string): GridSort[] {
  if (!current) return [{ columnId, direction: 'asc' }]
  return current.direction === 'asc' ? [{ columnId, direction: 'desc' }] : []
}
