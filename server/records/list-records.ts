import type { z } from 'zod'
import type { listRecords as endpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { cursorAfter } from '#domain/query/cursor.ts'
import { getCollection } from '#server/collections/find-collection.ts'
import { countRecords, selectPage } from '#server/query/run-records-query.ts'
import type { RecordNeeds } from './record-needs.ts'
import { checkedQuery, scopeOf } from './records-query.ts'
import { namesIn, showRecords } from './show-records.ts'
import { recordsOfRows } from './store.ts'

type Query = z.output<(typeof endpoint)['query']>
type Answer = z.input<(typeof endpoint)['answer']>

/** Story: a page of records, as one actor may see them. Rows and count are asked at the same time. */
export async function listRecords(needs: RecordNeeds, actor: Actor, nameOrId: string, asked: Query): Promise<Answer> {
  const { database } = needs
  const definitions = await needs.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:read', nameOrId)
  const page = asked.page ?? 1
  const query = checkedQuery({ definitions, actor, now: needs.clock() }, collection, decision, {
    ...(asked.filter !== undefined && { filter: asked.filter }),
    ...(asked.sort !== undefined && { sort: asked.sort }),
    ...(asked.search !== undefined && { search: asked.search }),
    ...(asked.cursor !== undefined && { cursor: asked.cursor }),
    page,
    perPage: asked.perPage,
  })
  const scope = scopeOf(definitions, collection)
  const showing = {
    form: { choices: asked.choices, richText: asked.richText },
    expand: asked.expand === '*' ? ('all' as const) : (namesIn('expand', asked.expand, collection, decision.hiddenFields) ?? new Set<string>()),
    fields: namesIn('fields', asked.fields, collection, decision.hiddenFields) ?? ('all' as const),
  }

  const [{ rows, hasMore }, counted] = await Promise.all([
    selectPage(database.read, database.dialect, collection, query, scope),
    asked.count === 'none' ? UNCOUNTED : countRecords(database.read, database.dialect, collection, query, asked.count, scope),
  ])
  const records = await recordsOfRows(database.read, collection, rows)
  const last = records.at(-1)
  return {
    items: await showRecords(needs, actor, collection, records, showing),
    page,
    perPage: asked.perPage,
    total: counted.total,
    totalIs: counted.totalIs,
    nextCursor: hasMore && last ? cursorAfter(query, last) : null,
  }
}

const UNCOUNTED = { total: null, totalIs: 'unknown' } as const
