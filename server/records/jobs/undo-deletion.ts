import type { RestoredBody } from '#api/bulk.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'
import { findDeletion, lastWriteOf } from '#server/records/changes/deletion-log.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { restoreRecords } from '#server/records/restore/restore-records.ts'
import { startJob } from './start-job.ts'
import type { BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import { skippingInvalid, skippedBody, mergeSkipped } from '#server/records/bulk/skipped-records.ts'
import { deletedIn, undoCutoff } from './restore-batch.ts'
import { findJob } from './store.ts'

type Deletion = NonNullable<Awaited<ReturnType<typeof findDeletion>>>

/**
 * Story: undo a deletion of one's own. Records that cannot come back are named and left; asked again, those that are
 * back already are counted and nothing else happens. A deletion in several writes is undone by a job.
 */
export async function undoDeletion(
  needs: BulkDeps,
  actor: Actor,
  changeSet: string,
): Promise<RestoredBody | { readonly job: string }> {
  const { database, clock } = needs
  const deletion = await findDeletion(database.read, changeSet)
  if (!deletion || deletion.userId === null || deletion.userId !== userIdOf(actor)) {
    throw new Problem('not-found', 'You have no deletion with this ID.')
  }
  getCollection(await needs.definitions.current(), actor, 'records:delete', deletion.collection)
  if (deletion.at < undoCutoff(clock())) {
    throw new Problem('gone', 'Deletions can be undone for 12 hours. This one is older.')
  }
  if ((await findJob(database.read, changeSet))?.state === 'running') {
    throw new Problem(
      'change-running',
      'The records are still being deleted. Cancel the job, or wait until it finishes.',
    )
  }
  if (deletion.firstAt !== deletion.at || deletion.count > needs.changedAtOnce) {
    const task = { does: 'restore', collection: deletion.collection, changeSet, at: clock().toISOString() } as const
    return { job: await startJob(needs, actor, task) }
  }
  return restoreImmediately(needs, actor, { ...deletion, changeSet })
}

async function restoreImmediately(
  needs: BulkDeps,
  actor: Actor,
  { collection, changeSet }: Deletion & { readonly changeSet: string },
): Promise<RestoredBody> {
  const entries = await lastWriteOf(needs.database.read, changeSet, null)
  const since = undoCutoff(needs.clock())
  return skippingInvalid(deletedIn(entries, collection), (left, refused) =>
    commitChange(needs, actor, async (writing) => {
      const ground = getCollection(writing.definitions, actor, 'records:delete', collection)
      const write = { collection: ground.collection, entries, records: new Set(left), since }
      const restored = await restoreRecords(writing, [actor], write)
      const all = mergeSkipped(mergeSkipped([], refused), restored.refused)
      const lost = mergeSkipped([], restored.lost)
      return {
        answer: {
          restored: restored.records.length,
          ...(all.length > 0 && { refused: all.map(skippedBody) }),
          ...(lost.length > 0 && { lost: lost.map(skippedBody) }),
        },
        changes: restored.changes,
        events: [{ type: 'records-changed', collection, records: [...restored.records] }],
      }
    }),
  )
}
