import type { CollectionId } from '#domain/shared/ids.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import type { CollectionAppearance } from './collection-appearance.ts'

/** A group of the sidebar and what stands in it, in order; `name` is null for what stands in none. */
export type CollectionGroup = { readonly name: string | null; readonly collections: readonly CollectionId[] }

/** The whole sidebar, from top to bottom. */
export type SidebarLayout = readonly CollectionGroup[]

/** As much of a collection as tells where it stands. */
type SidebarEntry = Pick<CollectionAppearance, 'group'> & { readonly id: CollectionId }

/** What cannot be about an arrangement somebody asks for. */
export type SidebarLayoutFault = { readonly path: string; readonly code: string; readonly message: string }

/** Collections in their groups: first those in none, then each group where its first collection stands. */
export function groupsOf<Thing extends Pick<CollectionAppearance, 'group'>>(
  list: readonly Thing[],
): readonly { readonly name: string | null; readonly members: readonly Thing[] }[] {
  const groups = Map.groupBy(list, ({ group }) => group ?? null)
  const loose = groups.get(null)
  const named = [...groups].filter(([name]) => name !== null)
  return [...(loose ? [[null, loose] as const] : []), ...named].map(([name, members]) => ({ name, members }))
}

/** How the sidebar stands. */
export const sidebarLayoutOf = (list: readonly SidebarEntry[]): SidebarLayout =>
  groupsOf(list).map(({ name, members }) => ({ name, collections: members.map(({ id }) => id) }))

/**
 * What becomes of the sidebar when somebody arranges it: every collection once. One that is not named, because another
 * tab made it meanwhile, stays in its group, behind the others.
 */
export function applySidebarLayout(
  list: readonly SidebarEntry[],
  wanted: SidebarLayout,
): Result<readonly SidebarEntry[], SidebarLayoutFault> {
  const known = new Map(list.map((each) => [each.id, each]))
  const names = new Set<string | null>()
  const placed: SidebarEntry[] = []
  const seen = new Set<CollectionId>()
  for (const [at, { name, collections }] of wanted.entries()) {
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

/** The order in which a collection that changes its group comes last in the new one. */
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
