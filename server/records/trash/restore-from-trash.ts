import type { z } from 'zod'
import type { deletePermanently as deletion, restoreFromTrash as endpoint } from '#api/trash.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { Permission } from '#domain/access/permission.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import { Problem, type SkippedByReason } from '#domain/shared/problem.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import type { Reader } from '#server/platform/database/database.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { mergeSkipped, reasonOf, skippedBody, skippingInvalid } from '#server/records/bulk/skipped-records.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'
import { definitionsSince } from '#server/records/changes/definition-store.ts'
import { deletionEntries } from '#server/records/changes/deletion-log.ts'
import { trashCutoff } from '#server/records/changes/retention.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { definitionOf, isPermitted, unchangedPart } from '#server/records/history/past-access.ts'
import { restoreRecords } from '#server/records/restore/restore-records.ts'
import { pastOf } from './list-trash.ts'
import { findDeletionsOf, purgeFromTrash, type StoredDeletion } from './trash-store.ts'

export const RESTORING = ['records:create', 'records:update'] as const

const NOT_IN_TRASH = 'These records aren’t in the trash, or you don’t have access to them.'

type Wanted = { readonly records: readonly RecordId[]; readonly permissions: readonly Permission[] }

/** The deletions of these records that the actor may see and for which they have one of the permissions. */
export async function findPermitted(
  { clock }: Pick<RecordDeps, 'clock'>,
  db: Reader,
  { actor, definitions }: { readonly actor: Actor; readonly definitions: Definitions },
  { records, permissions }: Wanted,
): Promise<StoredDeletion[]> {
  const found = await findDeletionsOf(db, records, await trashCutoff(db, clock()))
  const queryActor = { actor, definitions, now: clock() }
  const permitted: StoredDeletion[] = []
  for (const [id, own] of Map.groupBy(found, ({ collection }) => collection)) {
    const collection = definitions.byId.get(id)
    if (!collection) continue
    const oldest = own.map(({ entry }) => entry).reduce((one, other) => (one < other ? one : other))
    const former = await definitionsSince(db, id, oldest)
    for (const one of own) {
      const part = unchangedPart(collection, definitionOf(former, one.entry))
      if (isPermitted(queryActor, part, pastOf(one), permissions)) permitted.push(one)
    }
  }
  return permitted
}

/**
 * Restores deleted records. Records of one deletion are restored in one write, so that links between them come back.
 * Records that can’t be restored don’t stop the others.
 */
export async function restoreFromTrash(
  deps: RecordDeps,
  actor: Actor,
  { records }: z.output<(typeof endpoint)['body']>,
): Promise<z.input<(typeof endpoint)['response']>> {
  const definitions = await deps.definitions.current()
  const wanted = { records: [...new Set(records)], permissions: RESTORING }
  const permitted = await findPermitted(deps, deps.database.read, { actor, definitions }, wanted)
  const known = new Set(permitted.map(({ record }) => record))
  const unknown = wanted.records.filter((id) => !known.has(id))
  let restored = 0
  let refused = mergeSkipped([], unknown.length > 0 ? [{ message: NOT_IN_TRASH, records: unknown }] : [])
  let lost = mergeSkipped([], [])
  // The last deletion first, because an earlier one may have deleted records that link to its records.
  const newestFirst = permitted.toSorted((one, other) => (one.entry < other.entry ? 1 : -1))
  const groups = Map.groupBy(newestFirst, (one) => `${one.changeSet} ${one.collection} ${one.deletedAt}`)
  for (const own of groups.values()) {
    const outcome = await restoreDeletion(deps, actor, own).then(undefined, (error: unknown): Outcome => {
      if (!(error instanceof Problem)) throw error
      const skipped = [{ message: reasonOf(error), records: own.map(({ record }) => record) }]
      return { restored: 0, refused: skipped, lost: [] }
    })
    restored += outcome.restored
    refused = mergeSkipped(refused, outcome.refused)
    lost = mergeSkipped(lost, outcome.lost)
  }
  return {
    restored,
    ...(refused.length > 0 && { refused: refused.map(skippedBody) }),
    ...(lost.length > 0 && { lost: lost.map(skippedBody) }),
  }
}

type Outcome = {
  readonly restored: number
  readonly refused: readonly SkippedByReason[]
  readonly lost: readonly SkippedByReason[]
}

/** Restores records that one change set deleted from one collection. */
async function restoreDeletion(deps: RecordDeps, actor: Actor, deletions: readonly StoredDeletion[]): Promise<Outcome> {
  const [first] = deletions
  if (!first) return { restored: 0, refused: [], lost: [] }
  const entries = await deletionEntries(deps.database.read, first.changeSet, deletions)
  const since = await trashCutoff(deps.database.read, deps.clock())
  return skippingInvalid(
    deletions.map(({ record }) => record),
    (left, refused) =>
      commitChange(deps, actor, async (writing) => {
        const { collection } = getCollection(writing.definitions, actor, 'records:read', first.collection)
        const write = { collection, entries, records: new Set(left), since, permissions: RESTORING }
        const done = await restoreRecords(writing, [actor], write)
        return {
          answer: { restored: done.records.length, refused: [...refused, ...done.refused], lost: done.lost },
          changes: done.changes,
          changeSet: { via: 'restore', undoes: first.changeSet },
          events: [{ type: 'records-changed', collection: collection.id, records: [...done.records] }],
        }
      }),
  )
}

/** Removes records from the trash. The change log keeps their entries. */
export function deletePermanently(
  deps: RecordDeps,
  { actor, address }: AuditActor,
  { records }: z.output<(typeof deletion)['body']>,
): Promise<{ deleted: number }> {
  const wanted: Wanted = { records, permissions: ['records:delete'] }
  return deps.database.write(async (transaction) => {
    const definitions = await deps.definitions.within(transaction)
    // Checked within the write, because a record may have been restored and deleted again in the meantime.
    const permitted = await findPermitted(deps, transaction.db, { actor, definitions }, wanted)
    const ids = permitted.map(({ record }) => record)
    await purgeFromTrash(transaction, ids, deps.clock().toISOString())
    for (const [collection, own] of Map.groupBy(permitted, (one): CollectionId => one.collection)) {
      await writeAudit(transaction.db, deps, {
        kind: 'records-removed',
        userId: userIdOf(actor),
        collection,
        address,
        details: { count: String(own.length) },
      })
    }
    return { deleted: ids.length }
  })
}
