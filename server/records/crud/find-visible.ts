import type { Decision } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import {
  checkedQuery,
  isVisibleByValues,
  type QueryActor,
  scopeOf,
} from '#server/access/record-access/authorized-query.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import { selectPage } from '#server/query/run/run-records-query.ts'
import { recordsOfRows } from '#server/records/values/row-mapping.ts'
import type { RecordDeps } from './record-deps.ts'
import { findRow } from './store.ts'

type Allowed = Extract<Decision, { allowed: true }>

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
