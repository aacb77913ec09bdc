import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type WriteDeps, commitDefinition } from '#server/records/changes/commit-change.ts'
import { isUnchangedSinceCreation } from '#server/records/changes/is-unchanged-since-creation.ts'
import { discardCollection } from '#server/schema/collections/change-collection.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { definitionChange } from '#server/schema/collections/log-definition.ts'
import { assertCollectionUnreferenced } from '#server/access/roles/assert-unreferenced.ts'

/** Story: take back what was made of a template, as a whole, as long as nothing in it was changed. */
export async function undoTemplate(needs: WriteDeps, actor: Actor, ids: readonly CollectionId[]): Promise<void> {
  await commitDefinition(needs, actor, async (writing) => {
    if (!(await isUnchangedSinceCreation(writing.transaction, ids, userIdOf(actor)))) throw changedSince()
    const undone = []
    // Those that point stand behind those they point at.
    for (const id of ids.toReversed()) {
      const definitions = await needs.definitions.within(writing.transaction)
      const { collection } = getCollection(definitions, actor, 'collections:manage', id)
      await assertCollectionUnreferenced({ ...writing, definitions }, collection)
      await discardCollection({ ...writing, definitions }, collection)
      undone.push(definitionChange(collection, null))
    }
    return {
      answer: undefined,
      changes: undone.flatMap(({ changes }) => changes),
      events: undone.flatMap(({ events }) => events),
    }
  })
}

const changedSince = (): Problem =>
  new Problem(
    'in-use',
    'Nothing was deleted, because these collections were changed since they were created. Delete them one by one in their settings.',
  )
