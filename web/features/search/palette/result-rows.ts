import type { SearchHit, SearchGroup } from '#api/search.ts'
import { collectionPath, recordPath } from '#web/shared/navigation/app-link.tsx'
import { t } from '#web/i18n/t.ts'
import type { PaletteItem } from './palette-item.ts'
import type { RankedGroup } from './rank-items.ts'

/** One line of the palette. */
export type PaletteRow =
  | { readonly id: string; readonly kind: 'item'; readonly item: PaletteItem }
  | { readonly id: string; readonly kind: 'record'; readonly href: string; readonly record: SearchHit }
  /** The way to all that was found in a collection. */
  | { readonly id: string; readonly kind: 'all'; readonly href: string }

/** Lines under one name: a group of the palette, or what was found in one collection. */
export type PaletteSection = { readonly id: string; readonly label: string; readonly lines: readonly PaletteRow[] }

const GROUP_LABELS: Readonly<Record<RankedGroup['group'], string>> = {
  recent: t('Recently used'),
  page: t('On this page'),
  go: t('Go to'),
  create: t('Create'),
  settings: t('Settings'),
  app: 'Dossier',
}

/** Where a line leads; undefined where it does something. */
export const hrefOf = (line: PaletteRow): string | undefined => {
  if (line.kind !== 'item') return line.href
  return 'href' in line.item ? line.item.href : undefined
}

/** The sections of what can be done and gone to. */
export const itemSections = (groups: readonly RankedGroup[]): PaletteSection[] =>
  groups.map(({ group, items }) => ({
    id: group,
    label: GROUP_LABELS[group],
    lines: items.map((item) => ({ id: `item-${item.id}`, kind: 'item', item })),
  }))

/** The list of a collection, searched for these words. */
const listPath = (collection: string, words: string): string =>
  `${collectionPath(collection)}?${new URLSearchParams({ search: words })}`

/** The sections of what was found; where there is more than is shown, a last line leads to all. */
export function resultSections(groups: readonly SearchGroup[], words: string): PaletteSection[] {
  return groups.map(({ collection: { id, name, label }, items, hasMore }) => ({
    id,
    label,
    lines: [
      ...items.map((record) => ({
        id: `found-${record.id}`,
        kind: 'record' as const,
        href: recordPath(name, record.id),
        record,
      })),
      ...(hasMore ? [{ id: `found-all-${id}`, kind: 'all' as const, href: listPath(name, words) }] : []),
    ],
  }))
}

/** The place after moving by one key among so many lines; beyond an end it begins at the other. -1 is none. */
export function nextPosition(key: string, place: number, count: number): number | undefined {
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
