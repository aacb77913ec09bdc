import type { Actor } from '#domain/access/actor.ts'
import { hasPermissionEverywhere } from '#domain/access/decide.ts'
import { type SidebarLayout, sidebarLayoutOf, applySidebarLayout } from '#domain/collections/sidebar-layout.ts'
import type { Json } from '#domain/shared/json.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type WriteDeps, commitDefinition } from '#server/records/changes/commit-change.ts'
import { incrementDefinitionsVersion, storeGroups, storeOrder } from '#server/query/definitions/store.ts'

/** Sets the sidebar order for everyone. It requires permission to manage every collection in it. */
export async function arrangeCollections(deps: WriteDeps, actor: Actor, wanted: SidebarLayout): Promise<void> {
  if (!hasPermissionEverywhere(actor, 'collections:manage')) {
    throw new Problem('forbidden', 'Only users who can manage all collections can arrange them.')
  }
  return commitDefinition(deps, actor, async ({ transaction, definitions: { list } }) => {
    const judged = applySidebarLayout(list, wanted)
    if (!judged.ok) {
      throw new Problem('definition-invalid', 'The collections were not rearranged.', { errors: [judged.fault] })
    }
    const groupsBefore = new Map(list.map(({ id, group }) => [id, group]))
    const moved = judged.value.filter(({ id, group }) => groupsBefore.get(id) !== group)
    await storeGroups(
      transaction,
      moved.map(({ id, group }) => [id, group ?? null]),
    )
    await storeOrder(
      transaction,
      judged.value.map(({ id }) => id),
    )
    await incrementDefinitionsVersion(transaction)
    const [before, after] = [list, judged.value].map((each) => asJson(sidebarLayoutOf(each)))
    return {
      answer: undefined,
      changes: [
        { kind: 'collections-arranged', collection: null, record: null, before: before ?? null, after: after ?? null },
      ],
      events: [{ type: 'definitions-changed' }],
    }
  })
}

const asJson = (arrangement: SidebarLayout): Json =>
  arrangement.map(({ name, collections }) => ({ name, collections: [...collections] }))
