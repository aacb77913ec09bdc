import type { OptionColor } from '#domain/fields/field.ts'

/** The signs a collection can be known by; one that chose none is a folder. */
export const COLLECTION_ICONS = [
  'archive',
  'award',
  'book',
  'briefcase',
  'bug',
  'building',
  'building-warehouse',
  'bulb',
  'calendar',
  'camera',
  'car',
  'chart-bar',
  'clipboard-list',
  'coin',
  'cpu',
  'cube',
  'file-text',
  'first-aid-kit',
  'flag',
  'flask',
  'folder',
  'gavel',
  'globe',
  'hammer',
  'leaf',
  'mail',
  'map-pin',
  'microscope',
  'music',
  'package',
  'paw',
  'photo',
  'plane',
  'receipt',
  'rocket',
  'school',
  'shield',
  'tag',
  'truck',
  'users',
] as const

/** One of the signs. */
export type CollectionIcon = (typeof COLLECTION_ICONS)[number]

/** Longest name of a group of collections: the sidebar shows half of it. */
export const MAX_GROUP_NAME_LENGTH = 60

/** By what a collection is found at a glance; what is absent was not chosen. */
export type CollectionAppearance = {
  readonly icon?: CollectionIcon | undefined
  readonly color?: OptionColor | undefined
  /** The sidebar group; absent: none. */
  readonly group?: string | undefined
}

/** A look as it is asked for: null takes a part away, undefined leaves it. */
export type AppearanceChange = {
  readonly [Part in keyof CollectionAppearance]?: CollectionAppearance[Part] | null | undefined
}

/** The parts of a look, as they are after a change. */
export function changedAppearance(before: CollectionAppearance, change: AppearanceChange): CollectionAppearance {
  const icon = change.icon === undefined ? before.icon : change.icon
  const color = change.color === undefined ? before.color : change.color
  const group = change.group === undefined ? before.group : change.group
  return { ...(icon && { icon }), ...(color && { color }), ...(group && { group }) }
}

/** A thing with this look instead of its own. */
export function withAppearance<Thing extends CollectionAppearance>(thing: Thing, change: AppearanceChange): Thing {
  const { icon: _icon, color: _color, group: _group, ...rest } = thing
  // Whatever else a thing has is untouched; the compiler cannot put the two halves together again.
  return { ...rest, ...changedAppearance(thing, change) } as Thing
}
