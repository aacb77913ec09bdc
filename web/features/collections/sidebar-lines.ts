import { type Arrangement, groupsOf } from '#domain/collections/arrangement.ts'
import type { CollectionLook } from '#domain/collections/collection-look.ts'

/** A collection as far as its place is concerned. */
type Placed = Pick<CollectionLook, 'group'> & { readonly id: string; readonly label: string }

/** One line of the sidebar: a collection, or the head of a group, whose collections follow. */
export type SidebarLine<Thing extends Placed> =
  | { readonly key: string; readonly group: string }
  | { readonly key: string; readonly collection: Thing }

/** The key of a group among the lines. */
export const groupKey = (name: string): string => `group ${name}`

/** Collections as lines from top to bottom. */
export const linesOf = <Thing extends Placed>(list: readonly Thing[]): readonly SidebarLine<Thing>[] =>
  groupsOf(list).flatMap(({ name, members }) => [
    ...(name === null ? [] : [{ key: groupKey(name), group: name }]),
    ...members.map((collection) => ({ key: collection.id, collection })),
  ])

/** Lines as they are drawn: each group with what stands below its head. */
export function blocksOf<Thing extends Placed>(lines: readonly SidebarLine<Thing>[]) {
  const blocks: { readonly name: string | null; readonly members: Thing[] }[] = [{ name: null, members: [] }]
  for (const line of lines) {
    if ('group' in line) blocks.push({ name: line.group, members: [] })
    else blocks.at(-1)?.members.push(line.collection)
  }
  return blocks
}

/** The arrangement that lines say: a collection stands in the group whose head is above it. */
export const arrangementOfLines = (lines: readonly SidebarLine<Placed>[]): Arrangement =>
  blocksOf(lines).map(({ name, members }) => ({ name, collections: members.map(({ id }) => id) }))

/** The same with the groups in this order. */
export const withGroupOrder = (arrangement: Arrangement, names: readonly string[]): Arrangement => {
  const placeOf = (name: string | null): number => (name === null ? -1 : names.indexOf(name))
  return arrangement.toSorted((one, other) => placeOf(one.name) - placeOf(other.name))
}

/** The same with one group under another name; null takes the group away, and what stood in it stands in none. */
export function withGroupNamed(arrangement: Arrangement, group: string, name: string | null): Arrangement {
  const moved = arrangement.find((each) => each.name === group)?.collections ?? []
  const rest = arrangement.filter((each) => each.name !== group)
  const isJoining = rest.some((each) => each.name === name)
  if (!isJoining) return arrangement.map((each) => (each.name === group ? { ...each, name } : each))
  return rest.map((each) => (each.name === name ? { ...each, collections: [...each.collections, ...moved] } : each))
}

/** The same with one collection last in a group, which is made where there is none of that name; null: in none. */
export function withCollectionIn(arrangement: Arrangement, id: string, group: string | null): Arrangement {
  const without = arrangement.map((each) => ({ ...each, collections: each.collections.filter((one) => one !== id) }))
  if (!without.some(({ name }) => name === group)) return [...without, { name: group, collections: [id] }]
  return without.map((each) => (each.name === group ? { ...each, collections: [...each.collections, id] } : each))
}
