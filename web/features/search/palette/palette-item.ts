import type { CollectionAppearance } from '#domain/collections/collection-appearance.ts'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'

/** The groups of the palette, in the order in which they stand where nothing tells a better one. */
export const ITEM_GROUPS = ['page', 'go', 'create', 'settings', 'app'] as const

/** What a line of the palette belongs to. */
export type ItemGroup = (typeof ITEM_GROUPS)[number]

/** One line of the palette that is no record: a place to go to, or something to do. */
export type PaletteItem = {
  /** The same from day to day, so that what was used last is known again. */
  readonly id: string
  readonly group: ItemGroup
  readonly label: string
  /** What it belongs to, where its label alone does not tell. */
  readonly within?: string
  readonly alsoCalled?: readonly string[]
  readonly icon?: Icon
  /** The sign and colour of the collection that it stands for; its icon otherwise. */
  readonly look?: Pick<CollectionAppearance, 'icon' | 'color'>
  readonly keys?: string
  /** Only found by whoever asks for it: a part of a page whose own line stands there anyway. */
  readonly isPart?: true
} & ({ readonly href: string } | { readonly run: () => void })
