import type { z } from 'zod'
import type { RecordBody, readRecord as endpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { getCollection } from '#server/collections/find-collection.ts'
import { selectPage } from '#server/query/run-records-query.ts'
import type { RecordNeeds } from './record-needs.ts'
import { checkedQuery, scopeOf } from './records-query.ts'
import { namesIn, showRecords, shownPart } from './show-records.ts'
import { recordsOfRows } from './records-of-rows.ts'

type Query = z.output<(typeof endpoint)['query']>

/** Story: one record. One that is out of sight is told exactly like one that does not exist. */
export async function readRecord(
  needs: RecordNeeds,
  actor: Actor,
  place: { readonly collection: string; readonly record: string },
  asked: Query,
): Promise<RecordBody> {
  const { database } = needs
  const definitions = await needs.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:read', place.collection)
  const rule = { field: 'id', op: '=', value: place.record } as const
  const query = checkedQuery({ definitions, actor, now: needs.clock() }, collection, decision, {
    rule,
    page: 1,
    perPage: 1,
  })
  const visible = shownPart(collection, decision.hiddenFields, 'all')
  const scope = { ...scopeOf(needs, definitions), reader: database.readByKey }
  const { rows } = await selectPage(scope, query, visible.fields)

  const expand =
    asked.expand === '*'
      ? 'all'
      : (namesIn('expand', asked.expand, collection, decision.hiddenFields) ?? new Set<string>())
  const [shown] = await showRecords(needs, { actor, collection }, recordsOfRows(visible, rows), {
    form: { choices: asked.choices, richText: 'document' },
    expand,
    fields: 'all',
  })
  if (!shown) throw new Problem('record-not-found', `There is no record ${place.record} in ${collection.label}.`)
  return shown
}
