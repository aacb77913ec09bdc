import type { FoundBody, FoundGroup } from '#api/search.ts'
import { collectionPath, recordPath } from '#web/fields/addresses.ts'

/** One line of what was found: a record, or the way to all in its collection. */
export type FoundLine = {
  readonly id: string
  readonly href: string
  /** undefined: all in the collection. */
  readonly item: FoundBody | undefined
}

/** What was found in one collection, line by line. */
export type FoundSection = { readonly id: string; readonly label: string; readonly lines: readonly FoundLine[] }

/** The list of a collection, searched for these words. */
const listPath = (collection: string, words: string): string =>
  `${collectionPath(collection)}?${new URLSearchParams({ search: words })}`

/** The sections of what was found; where there is more than is shown, a last line leads to all. */
export function foundSections(groups: readonly FoundGroup[], words: string): FoundSection[] {
  return groups.map(({ collection: { id, name, label }, items, hasMore }) => ({
    id,
    label,
    lines: [
      ...items.map((item) => ({ id: `found-${item.id}`, href: recordPath(name, item.id), item })),
      ...(hasMore ? [{ id: `found-all-${id}`, href: listPath(name, words), item: undefined }] : []),
    ],
  }))
}

/** The place after moving by one key among so many lines; beyond an end it begins at the other. -1 is none. */
export function movedPlace(key: string, place: number, count: number): number | undefined {
  if (count === 0) return undefined
  switch (key) {
    case 'ArrowDown':
      return (place + 1) % count
    case 'ArrowUp':
      return place <= 0 ? count - 1 : place - 1
    default:
      return undefined
  }
}
