import type { CollectionId } from '#domain/shared/ids.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import type { CollectionAppearance } from './collection-appearance.ts'

/** `name` is null for ungrouped collections. */
export type CollectionGroup = { readonly name: string | null; readonly collections: readonly CollectionId[] }

export type SidebarLayout = readonly CollectionGroup[]

type SidebarEntry = Pick<CollectionAppearance, 'group'> & { readonly id: CollectionId }

export type SidebarLayoutFault = { readonly path: string; readonly code: string; readonly message: string }

/** Lists ungrouped collections first, then each group at the position of its first collection. */
export function groupsOf<Thing extends Pick<CollectionAppearance, 'group'>>(
  list: readonly Thing[],
): readonly { readonly name: string | null; readonly members: readonly Thing[] }[] {
  const groups = Map.groupBy(list, ({ group }) => group ?? null)
  const ungrouped = groups.get(null)
  const named = [...groups].filter(([name]) => name !== null)
  return [...(ungrouped ? [[null, ungrouped] as const] : []), ...named].map(([name, members]) => ({ name, members }))
}

export const sidebarLayoutOf = (list: readonly SidebarEntry[]): SidebarLayout =>
  groupsOf(list).map(({ name, members }) => ({ name, collections: members.map(({ id }) => id) }))

/**
 * Applies a new order. Collections missing from it, such as those just created in another tab, go last in their group.
 */
export function applySidebarLayout(
  list: readonly SidebarEntry[],
  requested: SidebarLayout,
): Result<readonly SidebarEntry[], SidebarLayoutFault> {
  const known = new Map(list.map((each) => [each.id, each]))
  const names = new Set<string | null>()
  const placed: SidebarEntry[] = []
  const seen = new Set<CollectionId>()
  for (const [at, { name, collections }] of requested.entries()) {
    if (names.has(name)) return fail(fault(`groups.${at}.name`, 'name-taken', 'The same group is listed twice.'))
    names.add(name)
    for (const id of collections) {
      if (!known.has(id))
        return fail(fault(`groups.${at}`, 'unknown-collection', 'There is no collection with this ID.'))
      if (seen.has(id)) return fail(fault(`groups.${at}`, 'named-twice', 'A collection can appear only once.'))
      seen.add(id)
      placed.push(name === null ? { id } : { id, group: name })
    }
  }
  const rest = list.filter(({ id }) => !seen.has(id))
  return ok(groupsOf([...placed, ...rest]).flatMap(({ members }) => members))
}

/** Returns the sidebar order after a collection is moved to the end of another group. */
export function orderWithinGroup(
  list: readonly SidebarEntry[],
  id: CollectionId,
  group: string | undefined,
): CollectionId[] {
  const others = list.filter((each) => each.id !== id)
  const moved: SidebarEntry = group === undefined ? { id } : { id, group }
  return groupsOf([...others, moved]).flatMap(({ members }) => members.map((each) => each.id))
}

const fault = (path: string, code: string, message: string): SidebarLayoutFault => ({ path, code, message })
