import type { z } from 'zod'
import type { listRecords as endpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { findMarks, marksOnWire, searchedPart } from '#server/search/mark-hits.ts'
import { getCollection } from '#server/collections/find-collection.ts'
import type { RecordNeeds } from './record-needs.ts'
import { checkedQuery, scopeOf } from './records-query.ts'
import { namesIn, showRecords, shownPart } from './show-records.ts'
import { recordsOfRows } from './records-of-rows.ts'

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

  const hidden = decision.hiddenFields
  const shown = shownPart(collection, hidden, showing.fields)
  // Hits are told for every field that is searched, whether it is shown or not.
  const marking = asked.marks === true && query.search.terms.length > 0
  const read = marking ? withFieldsOf(shown, searchedPart(collection, hidden)) : shown
  const listing = { scope, query, definitionsVersion: definitions.version }
  const [{ rows, nextCursor }, counted] = await Promise.all([
    needs.shapes.page(listing, read.fields),
    asked.count === 'none' ? UNCOUNTED : needs.shapes.total(listing, asked.count),
  ])
  const records = recordsOfRows(read, rows)
  const viewer = { actor, collection }
  const items = await showRecords(needs, viewer, records, showing)
  const found = marking ? await findMarks(needs, viewer, records, { search: query.search, hidden }) : []
  return {
    items: marking ? items.map((item, at) => ({ ...item, marks: marksOnWire(found[at]) })) : items,
    page: Math.floor(query.page.ordinal / query.page.limit) + 1,
    perPage: query.page.limit,
    total: counted.total,
    totalIs: counted.totalIs,
    nextCursor,
  }
}

/** A collection with the fields of another of the same besides its own, in whatever order. */
const withFieldsOf = (one: Collection, other: Collection): Collection => ({
  ...one,
  fields: [...new Set([...one.fields, ...other.fields])],
})

const UNCOUNTED = { total: null, totalIs: 'unknown' } as const
