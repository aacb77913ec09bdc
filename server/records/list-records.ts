import type { z } from 'zod'
import type { listRecords as endpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { getCollection } from '#server/collections/find-collection.ts'
import type { RecordNeeds } from './record-needs.ts'
import { checkedQuery, scopeOf } from './records-query.ts'
import { namesIn, showRecords, shownPart } from './show-records.ts'
import { recordsOfRows } from './store.ts'

type Query = z.output<(typeof endpoint)['query']>
type Answer = z.input<(typeof endpoint)['answer']>

/** Story: a page of records, as one actor may see them. Rows and count are asked at the same time. */
export async function listRecords(needs: RecordNeeds, actor: Actor, nameOrId: string, asked: Query): Promise<Answer> {
  const definitions = await needs.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:read', nameOrId)
  const { filter, sort, search, cursor, perPage } = asked
  const page = cursor === undefined ? (asked.page ?? 1) : asked.page
  const asker = { definitions, actor, now: needs.clock() }
  const query = checkedQuery(asker, collection, decision, { filter, sort, search, cursor, page, perPage })
  const scope = scopeOf(needs, definitions)
  const showing = {
    form: { choices: asked.choices, richText: asked.richText },
    expand:
      asked.expand === '*'
        ? ('all' as const)
        : (namesIn('expand', asked.expand, collection, decision.hiddenFields) ?? new Set<string>()),
    fields: namesIn('fields', asked.fields, collection, decision.hiddenFields) ?? ('all' as const),
  }

  const shown = shownPart(collection, decision.hiddenFields, showing.fields)
  const listing = { scope, query, definitionsVersion: definitions.version }
  const found = needs.shapes.page(listing, shown.fields)
  const [{ rows, nextCursor }, counted] = await Promise.all([
    found,
    asked.count === 'none' ? UNCOUNTED : needs.shapes.total(listing, asked.count, found),
  ])
  const records = await recordsOfRows(scope.reader, shown, rows)
  return {
    items: await showRecords(needs, { actor, collection }, records, showing),
    page: Math.floor(query.page.ordinal / query.page.limit) + 1,
    perPage: query.page.limit,
    total: counted.total,
    totalIs: counted.totalIs,
    nextCursor,
  }
}

const UNCOUNTED = { total: null, totalIs: 'unknown' } as const
