import type { Decision } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { idsInside, isVisibleByValues } from '#server/access/record-access/authorized-query.ts'
import { type LockedRecord, lockRecord, lockRecords, recordNotFound } from './read-record.ts'

type Allowed = Extract<Decision, { allowed: true }>

export type WriteContext = Pick<Writing, 'transaction' | 'definitions' | 'actor' | 'at'>

export async function visibleRecords(
  writing: WriteContext,
  collection: Collection,
  decision: Allowed,
  ids: readonly RecordId[],
): Promise<ReadonlySet<RecordId>> {
  if (decision.where === undefined) return new Set(ids)
  const { definitions, actor, transaction } = writing
  const { db: reader, dialect } = transaction
  const scope = { reader, dialect, pendingImports: definitions.pendingImports }
  return idsInside(scope, { definitions, actor, now: new Date(writing.at) }, { collection, decision }, ids)
}

export async function isVisible(
  writing: Writing,
  collection: Collection,
  decision: Allowed,
  record: CollectionRecord,
): Promise<boolean> {
  const { definitions, actor, at } = writing
  const outcome = isVisibleByValues({ definitions, actor, now: new Date(at) }, collection, decision, record)
  if (outcome !== undefined) return outcome
  return (await visibleRecords(writing, collection, decision, [record.id])).has(record.id)
}

/**
 * A record, locked for this write. If it doesn't match the condition, the error is the same as for a missing record.
 */
export async function getVisible(
  writing: Writing,
  collection: Collection,
  decision: Allowed,
  id: RecordId,
): Promise<LockedRecord> {
  const record = await lockRecord(writing, collection, id)
  if (await isVisible(writing, collection, decision, record)) return record
  throw recordNotFound(collection, id)
}

export async function getAllVisible(
  writing: Writing,
  collection: Collection,
  decision: Allowed,
  ids: readonly RecordId[],
): Promise<LockedRecord[]> {
  const records = new Map((await lockRecords(writing, collection, ids)).map((record) => [record.id, record]))
  const visible = await visibleRecords(writing, collection, decision, [...records.keys()])
  return ids.map((id) => {
    const record = visible.has(id) ? records.get(id) : undefined
    if (!record) throw recordNotFound(collection, id)
    return record
  })
}

/** Rejects a write after which records would be outside the actor's write permission. */
export async function assertAllInScope(
  writing: Writing,
  collection: Collection,
  decision: Allowed,
  ids: readonly RecordId[],
): Promise<void> {
  const visible = await visibleRecords(writing, collection, decision, ids)
  if (visible.size < new Set(ids).size) throw outsideScope(ids.filter((id) => !visible.has(id)))
}

export async function assertInScope(
  writing: Writing,
  collection: Collection,
  decision: Allowed,
  record: CollectionRecord,
): Promise<void> {
  if (!(await isVisible(writing, collection, decision, record))) throw outsideScope()
}

const outsideScope = (records: readonly RecordId[] = []): Problem =>
  new Problem('forbidden', 'Nothing was saved. With these values you could no longer edit the record.', {
    refused: [{ message: 'With these values you could no longer edit the records.', records }],
  })
