import type { OptionColor } from '#domain/fields/field.ts'

/** Collection icons; the default is a folder. */
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

export type CollectionIcon = (typeof COLLECTION_ICONS)[number]

/** The sidebar has room for about half this many characters. */
export const MAX_GROUP_NAME_LENGTH = 60

/** Appearance of a collection; absent properties use their default, if there is one. */
export type CollectionAppearance = {
  readonly icon?: CollectionIcon | undefined
  readonly color?: OptionColor | undefined
  readonly group?: string | undefined
  readonly description?: string | undefined
}

/** null removes a property; undefined leaves it unchanged. */
export type AppearanceChange = {
  readonly [Part in keyof CollectionAppearance]?: CollectionAppearance[Part] | null | undefined
}

export function changedAppearance(before: CollectionAppearance, change: AppearanceChange): CollectionAppearance {
  const icon = change.icon === undefined ? before.icon : change.icon
  const color = change.color === undefined ? before.color : change.color
  const group = change.group === undefined ? before.group : change.group
  const description = (change.description === undefined ? before.description : change.description)?.trim()
  return {
    ...(icon && { icon }),
    ...(color && { color }),
    ...(group && { group }),
    ...(description && { description }),
  }
}

export function withAppearance<Thing extends CollectionAppearance>(thing: Thing, change: AppearanceChange): Thing {
  const { icon: _icon, color: _color, group: _group, description: _description, ...rest } = thing
  // The compiler can't infer that the recombined object has the original type.
  return { ...rest, ...changedAppearance(thing, change) } as Thing
}
