import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { type QueryScope, selectPage } from '#server/query/run/run-records-query.ts'
import { hiddenFieldsIn } from '#server/records/show/hidden-fields-in.ts'
import { recordNotFound } from '#server/records/crud/lock-record.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { recordsOfRows } from '#server/records/values/records-of-rows.ts'
import { type QueryActor, checkedQuery, scopeOf } from '#server/access/record-access/authorized-query.ts'
import type { RecordRef } from './transition-record.ts'

/** A record its reader may see, with the fields that are hidden from them in it. */
type Visible = {
  readonly collection: Collection
  readonly record: CollectionRecord
  readonly hidden: HiddenFields
  readonly asker: QueryActor
  readonly scope: QueryScope
}

/** The record, if the actor may read it; otherwise the same problem as for one that does not exist. */
export async function findVisibleRecord(needs: RecordDeps, actor: Actor, place: RecordRef): Promise<Visible> {
  const definitions = await needs.definitions.current()
  const asker = { definitions, actor, now: needs.clock() }
  const scope = scopeOf(needs, definitions)
  const { collection, decision } = getCollection(definitions, actor, 'records:read', place.collection)
  const rule = { field: 'id', op: '=', value: place.record } as const
  const query = checkedQuery(asker, collection, decision, { rule, page: 1, perPage: 1 })
  const { rows } = await selectPage(scope, query, collection.fields)
  const [record] = recordsOfRows(collection, rows)
  if (!record) throw recordNotFound(collection, place.record)
  const shown = { collection, decision, fields: collection.fields }
  return { collection, record, hidden: (await hiddenFieldsIn(needs, asker, shown, [record]))(record), asker, scope }
}
