import type { CollectionAppearance } from '#domain/collections/collection-appearance.ts'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'

/** Default order of palette groups. */
export const ITEM_GROUPS = ['page', 'go', 'create', 'settings', 'app'] as const

export type ItemGroup = (typeof ITEM_GROUPS)[number]

export type PaletteItem = {
  /** Stable, so that recent items are recognized. */
  readonly id: string
  readonly group: ItemGroup
  readonly label: string
  /** Context, if the label alone is ambiguous. */
  readonly within?: string
  readonly alsoCalled?: readonly string[]
  readonly icon?: Icon
  /** Icon and color of its collection. */
  readonly look?: Pick<CollectionAppearance, 'icon' | 'color'>
  readonly keys?: string
  /** Only found by search: a part of a page that has its own item. */
  readonly isPart?: true
} & ({ readonly href: string } | { readonly run: () => void })
