import { type SidebarLayout, groupsOf } from '#domain/collections/sidebar-layout.ts'
import type { CollectionAppearance } from '#domain/collections/collection-appearance.ts'
import type { CollectionBody } from '#api/collections.ts'
import type { Reorder } from '#web/shared/reorder/use-reorder.ts'

type Placed = Pick<CollectionAppearance, 'group'> & { readonly id: string; readonly label: string }

/** A collection, or a group header followed by its collections. */
export type SidebarRow<Thing extends Placed> =
  | { readonly key: string; readonly group: string }
  | { readonly key: string; readonly collection: Thing }

export const groupKey = (name: string): string => `group ${name}`

export const sidebarRowsOf = <Thing extends Placed>(list: readonly Thing[]): readonly SidebarRow<Thing>[] =>
  groupsOf(list).flatMap(({ name, members }) => [
    ...(name === null ? [] : [{ key: groupKey(name), group: name }]),
    ...members.map((collection) => ({ key: collection.id, collection })),
  ])

export function blocksOf<Thing extends Placed>(lines: readonly SidebarRow<Thing>[]) {
  const blocks: { readonly name: string | null; readonly members: Thing[] }[] = [{ name: null, members: [] }]
  for (const line of lines) {
    if ('group' in line) blocks.push({ name: line.group, members: [] })
    else blocks.at(-1)?.members.push(line.collection)
  }
  return blocks
}

/** A collection belongs to the group header above it. */
export const arrangementOfRows = (lines: readonly SidebarRow<Placed>[]): SidebarLayout =>
  blocksOf(lines).map(({ name, members }) => ({ name, collections: members.map(({ id }) => id) }))

export const withGroupOrder = (arrangement: SidebarLayout, names: readonly string[]): SidebarLayout => {
  const placeOf = (name: string | null): number => (name === null ? -1 : names.indexOf(name))
  return arrangement.toSorted((one, other) => placeOf(one.name) - placeOf(other.name))
}

/** Null removes the group and ungroups its collections. */
export function withGroupNamed(arrangement: SidebarLayout, group: string, name: string | null): SidebarLayout {
  const moved = arrangement.find((each) => each.name === group)?.collections ?? []
  const rest = arrangement.filter((each) => each.name !== group)
  const isJoining = rest.some((each) => each.name === name)
  if (!isJoining) return arrangement.map((each) => (each.name === group ? { ...each, name } : each))
  return rest.map((each) => (each.name === name ? { ...each, collections: [...each.collections, ...moved] } : each))
}

/** Moves a collection to the end of a group, creating it; null ungroups. */
export function withCollectionIn(arrangement: SidebarLayout, id: string, group: string | null): SidebarLayout {
  const without = arrangement.map((each) => ({ ...each, collections: each.collections.filter((one) => one !== id) }))
  if (!without.some(({ name }) => name === group)) return [...without, { name: group, collections: [id] }]
  return without.map((each) => (each.name === group ? { ...each, collections: [...each.collections, id] } : each))
}

export type SidebarDialog =
  | { readonly type: 'look'; readonly collection: string }
  | { readonly type: 'group'; readonly collection: string }
  | { readonly type: 'rename'; readonly group: string }

export type SidebarRowProps = {
  readonly reorder: Reorder<SidebarRow<CollectionBody>>
  readonly mayArrange: boolean
  /** By collection id; missing while unknown. */
  readonly counts: ReadonlyMap<string, number>
  readonly onAsk: (question: SidebarDialog) => void
}
