import type { z } from 'zod'
import type { readRecord as endpoint, RecordBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Decision } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { selectPage } from '#server/query/run/run-records-query.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import type { RecordDeps } from './record-deps.ts'
import { recordsOfRows } from '#server/records/values/row-mapping.ts'
import {
  checkedQuery,
  isVisibleByValues,
  type QueryActor,
  scopeOf,
} from '#server/access/record-access/authorized-query.ts'
import { expandedIn, showRecords } from '#server/records/show/show-records.ts'
import { findRow, lockRow, lockRows } from './store.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'

/** The current rows of these IDs, locked until the write ends. Missing records are left out. */
export async function lockRecords(
  writing: Pick<Writing, 'transaction'>,
  collection: Collection,
  ids: readonly RecordId[],
): Promise<CollectionRecord[]> {
  return recordsOfRows(collection, await lockRows(writing.transaction, collection, ids))
}

export async function lockRecord(writing: Writing, collection: Collection, id: RecordId): Promise<CollectionRecord> {
  const [record] = recordsOfRows(collection, await lockRow(writing.transaction, collection, id))
  if (!record) throw recordNotFound(collection, id)
  return record
}

export const recordNotFound = ({ label }: Collection, id: RecordId): Problem =>
  new Problem('record-not-found', `There is no record ${id} in ${label}.`)

type Allowed = Extract<Decision, { allowed: true }>

type Query = z.output<(typeof endpoint)['query']>

/** Reads one record. An unreadable record causes the same error as a missing one. */
export async function readRecord(
  deps: RecordDeps,
  actor: Actor,
  place: { readonly collection: string; readonly record: string },
  requested: Query,
): Promise<RecordBody> {
  const definitions = await deps.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:read', place.collection)
  const record = await findVisible(
    deps,
    { definitions, actor, now: deps.clock() },
    { collection, decision },
    place.record,
  )
  if (!record) throw recordNotFound(collection, place.record)
  const expand = expandedIn(requested.expand, collection, decision.hiddenFields)
  const [shown] = await showRecords(deps, { actor, collection, areWhole: true }, [record], {
    form: { choices: requested.choices, richText: requested.richText },
    expand,
    fields: 'all',
    virtual: true,
  })
  if (!shown) throw recordNotFound(collection, place.record)
  return shown
}

export async function findVisible(
  deps: RecordDeps,
  queryActor: QueryActor,
  { collection, decision }: { readonly collection: Collection; readonly decision: Allowed },
  id: RecordId,
): Promise<CollectionRecord | undefined> {
  const { readByKey: db, dialect } = deps.database
  const [record] = recordsOfRows(collection, await findRow({ db, dialect }, collection, id))
  if (!record) return undefined
  const outcome = isVisibleByValues(queryActor, collection, decision, record)
  if (outcome !== undefined) return outcome ? record : undefined

  // One statement, so that permission and content are read consistently.
  const rule = { field: 'id', op: '=', value: id } as const
  const query = checkedQuery(queryActor, collection, decision, { storedFilter: rule, page: 1, perPage: 1 })
  const { rows } = await selectPage({ ...scopeOf(deps, queryActor.definitions), reader: db }, query)
  return recordsOfRows(collection, rows)[0]
}

/** Those of these records that the actor can read. */
export async function findAllVisible(
  deps: RecordDeps,
  queryActor: QueryActor,
  { collection, decision }: { readonly collection: Collection; readonly decision: Allowed },
  ids: readonly RecordId[],
): Promise<CollectionRecord[]> {
  const records: CollectionRecord[] = []
  for (const some of chunkIds(ids)) {
    const rule = { field: 'id', op: 'in', value: some } as const
    const query = checkedQuery(queryActor, collection, decision, { storedFilter: rule, page: 1, perPage: some.length })
    const { rows } = await selectPage(scopeOf(deps, queryActor.definitions), query)
    records.push(...recordsOfRows(collection, rows))
  }
  return records
}
