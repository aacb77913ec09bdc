import type { z } from 'zod'
import type { readRecord as endpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { CollectionRow } from '#server/platform/database/database.ts'
import { withRecalculating } from '#server/records/rollups/recalculating-fields.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import type { RecordDeps } from './record-deps.ts'
import { recordsOfRows } from '#server/records/values/row-mapping.ts'
import { expandedIn, showRecords } from '#server/records/show/show-records.ts'
import { expandLinked, expansionsIn, topLevelNames } from './expand-linked.ts'
import { findVisible } from './find-visible.ts'
import { lockRow, lockRows } from './store.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'

/** A record that doesn't change until the write ends, and the import that created it. */
export type LockedRecord = CollectionRecord & { readonly importId: string | null }

function lockedRecords(collection: Collection, rows: readonly CollectionRow[]): LockedRecord[] {
  const importIds = rows.map(({ import_id: id }) => (typeof id === 'string' ? id : null))
  return recordsOfRows(collection, rows).map((record, at) => ({ ...record, importId: importIds[at] ?? null }))
}

/** The current records of these IDs. Missing ones are left out. */
export async function lockRecords(
  writing: Pick<Writing, 'transaction'>,
  collection: Collection,
  ids: readonly RecordId[],
): Promise<LockedRecord[]> {
  return lockedRecords(collection, await lockRows(writing.transaction, collection, ids))
}

export async function lockRecord(writing: Writing, collection: Collection, id: RecordId): Promise<LockedRecord> {
  const [record] = lockedRecords(collection, await lockRow(writing.transaction, collection, id))
  if (!record) throw recordNotFound(collection, id)
  return record
}

export const recordNotFound = ({ label }: Collection, id: RecordId): Problem =>
  new Problem('record-not-found', `There is no record ${id} in ${label}.`)

type Query = z.output<(typeof endpoint)['query']>
type Answer = z.input<(typeof endpoint)['response']>

/** Reads one record. An unreadable record causes the same error as a missing one. */
export async function readRecord(
  deps: RecordDeps,
  actor: Actor,
  place: { readonly collection: string; readonly record: string },
  requested: Query,
): Promise<Answer> {
  const definitions = await deps.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:read', place.collection)
  const queryActor = { definitions, actor, now: deps.clock() }
  const viewed = { definitions, collection, hidden: decision.hiddenFields }
  const { record, recalculating } = await withRecalculating(deps, viewed, async () => ({
    record: await findVisible(deps, queryActor, { collection, decision }, place.record),
  }))
  if (!record) throw recordNotFound(collection, place.record)
  const expansions = expansionsIn(requested.expand)
  const expand = expandedIn(topLevelNames(expansions), collection, decision.hiddenFields)
  const form = { choices: requested.choices, richText: requested.richText }
  const [shown] = await showRecords(deps, { actor, collection, areWhole: true }, [record], {
    form,
    expand,
    fields: 'all',
    reverse: true,
  })
  if (!shown) throw recordNotFound(collection, place.record)
  await expandLinked(deps, queryActor, { collection, expansions, form }, [shown])
  return recalculating ? { ...shown, recalculating } : shown
}
