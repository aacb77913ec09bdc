import type { SearchHit, SearchGroup } from '#api/search.ts'
import { collectionPath, recordPath } from '#web/shared/navigation/app-link.tsx'
import { t } from '#web/i18n/t.ts'
import type { PaletteItem, RankedGroup } from './rank-items.ts'

export type PaletteRow =
  | { readonly id: string; readonly kind: 'item'; readonly item: PaletteItem }
  | { readonly id: string; readonly kind: 'record'; readonly href: string; readonly record: SearchHit }
  /** A link to all results in a collection. */
  | { readonly id: string; readonly kind: 'all'; readonly href: string }

export type PaletteSection = { readonly id: string; readonly label: string; readonly lines: readonly PaletteRow[] }

const GROUP_LABELS: Readonly<Record<RankedGroup['group'], string>> = {
  recent: t('Recently used'),
  page: t('On this page'),
  go: t('Go to'),
  create: t('Create'),
  settings: t('Settings'),
  app: 'Dossier',
  missing: t('What to use instead'),
}

/** Undefined for commands. */
export const hrefOf = (line: PaletteRow): string | undefined => {
  if (line.kind !== 'item') return line.href
  return 'href' in line.item ? line.item.href : undefined
}

export const itemSections = (groups: readonly RankedGroup[]): PaletteSection[] =>
  groups.map(({ group, items }) => ({
    id: group,
    label: GROUP_LABELS[group],
    lines: items.map((item) => ({ id: `item-${item.id}`, kind: 'item', item })),
  }))

const listPath = (collection: string, words: string): string =>
  `${collectionPath(collection)}?${new URLSearchParams({ search: words })}`

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

/** The next row, wrapping around at the ends; -1 means that no row is selected. */
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
