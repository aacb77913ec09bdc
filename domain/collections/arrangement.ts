import type { CollectionId } from '../shared/ids.ts'
import { type Result, no, ok } from '../shared/result.ts'
import type { CollectionLook } from './collection-look.ts'

/** A group of the sidebar and what stands in it, in order; `name` is null for what stands in none. */
export type CollectionGroup = { readonly name: string | null; readonly collections: readonly CollectionId[] }

/** The whole sidebar, from top to bottom. */
export type Arrangement = readonly CollectionGroup[]

/** As much of a collection as tells where it stands. */
type Standing = Pick<CollectionLook, 'group'> & { readonly id: CollectionId }

/** What cannot be about an arrangement somebody asks for. */
export type ArrangementFault = { readonly path: string; readonly code: string; readonly message: string }

/** Collections in their groups: first those in none, then each group where its first collection stands. */
export function groupsOf<Thing extends Pick<CollectionLook, 'group'>>(
  list: readonly Thing[],
): readonly { readonly name: string | null; readonly members: readonly Thing[] }[] {
  const groups = Map.groupBy(list, ({ group }) => group ?? null)
  const loose = groups.get(null)
  const named = [...groups].filter(([name]) => name !== null)
  return [...(loose ? [[null, loose] as const] : []), ...named].map(([name, members]) => ({ name, members }))
}

/** How the sidebar stands. */
export const arrangementOf = (list: readonly Standing[]): Arrangement =>
  groupsOf(list).map(({ name, members }) => ({ name, collections: members.map(({ id }) => id) }))

/**
 * What becomes of the sidebar when somebody arranges it: every collection once. One that is not named, because another
 * tab made it meanwhile, stays in its group, behind the others.
 */
export function judgeArrangement(
  list: readonly Standing[],
  wanted: Arrangement,
): Result<readonly Standing[], ArrangementFault> {
  const known = new Map(list.map((each) => [each.id, each]))
  const names = new Set<string | null>()
  const placed: Standing[] = []
  const seen = new Set<CollectionId>()
  for (const [at, { name, collections }] of wanted.entries()) {
    if (names.has(name)) return no(fault(`groups.${at}.name`, 'name-taken', 'A group is there twice.'))
    names.add(name)
    for (const id of collections) {
      if (!known.has(id)) return no(fault(`groups.${at}`, 'unknown-collection', 'There is no collection with this id.'))
      if (seen.has(id)) return no(fault(`groups.${at}`, 'named-twice', 'A collection stands in one place only.'))
      seen.add(id)
      placed.push(name === null ? { id } : { id, group: name })
    }
  }
  const rest = list.filter(({ id }) => !seen.has(id))
  return ok(groupsOf([...placed, ...rest]).flatMap(({ members }) => members))
}

/** The order in which a collection that changes its group comes last in the new one. */
export function placedInGroup(list: readonly Standing[], id: CollectionId, group: string | undefined): CollectionId[] {
  const others = list.filter((each) => each.id !== id)
  const moved: Standing = group === undefined ? { id } : { id, group }
  return groupsOf([...others, moved]).flatMap(({ members }) => members.map((each) => each.id))
}

const fault = (path: string, code: string, message: string): ArrangementFault => ({ path, code, message })
