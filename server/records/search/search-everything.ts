import type { z } from 'zod'
import * as api from '#api/search.ts'
import type { SearchGroup, SearchHit, searchEverything as endpoint } from '#api/search.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import { entriesOf, type Mark, type RecordMarks, snippetOf, textOf } from '#domain/query/list/search-marks.ts'
import { missingInputs } from '#domain/formulas/formula-values.ts'
import { withinField } from '#domain/query/list/search.ts'
import { printValue } from '#domain/fields/kinds.ts'
import { foldText } from '#domain/shared/text.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRow } from '#server/platform/database/database.ts'
import { type QueryScope, selectPage } from '#server/query/run/run-records-query.ts'
import { withPossibleHits } from '#server/query/search/possible-hits.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { checkedQuery, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { recordsOfRows } from '#server/records/values/row-mapping.ts'
import { withTimeout } from '#server/platform/concurrency/async-helpers.ts'
import { type HighlightedRecord, findHighlights, searchedPart } from './search-highlights.ts'
import { can, signedIn } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { type IndexProgressDeps, readSearchIndex } from '#server/query/search/index/index-progress.ts'

type Query = z.output<(typeof endpoint)['query']>
type Answer = z.input<(typeof endpoint)['response']>

/** Number of collections searched concurrently; limited so that other reads can run in between. */
const MAX_CONCURRENT = 4

/**
 * Time limit in ms for ruling out collections, and for each of the others; after that, the response has no result for
 * that collection.
 */
const TIMEOUT_MS = 2_000

export async function searchEverything(deps: RecordDeps, actor: Actor, { q, limit }: Query): Promise<Answer> {
  const definitions = await deps.definitions.current()
  const queryActor = { definitions, actor, now: deps.clock() }
  const scope = scopeOf(deps, definitions)
  const searches = definitions.list.flatMap((collection) => {
    const decision = decide(actor, 'records:read', collection)
    if (!decision.allowed) return []
    const query = checkedQuery(queryActor, collection, decision, { search: q, page: 1, perPage: limit })
    const canFind = query.search.terms.length > 0 && query.search.terms.every(({ places }) => places.length > 0)
    if (!canFind) return []
    return { collection, query, hidden: decision.hiddenFields, viewer: { actor, collection }, scope }
  })

  const possible = (await withTimeout(withPossibleHits(scope, searches), TIMEOUT_MS)) ?? searches
  const groups: (SearchGroup | undefined)[] = []
  for (let at = 0; at < possible.length; at += MAX_CONCURRENT) {
    const some = possible.slice(at, at + MAX_CONCURRENT)
    groups.push(...(await Promise.all(some.map((search) => withTimeout(searchOne(deps, search), TIMEOUT_MS)))))
  }
  return {
    groups: groups.flatMap((group) => (group && group.items.length > 0 ? group : [])),
    isComplete: groups.every((group) => group !== undefined),
  }
}

type OneSearch = {
  readonly collection: Collection
  readonly query: CheckedRecordsQuery
  readonly hidden: HiddenFields
  readonly viewer: { readonly actor: Actor; readonly collection: Collection }
  readonly scope: QueryScope
}

async function searchOne(deps: RecordDeps, search: OneSearch): Promise<SearchGroup> {
  const { collection, query, hidden, viewer } = search
  const { rows, hasMore } = await firstRows(search)
  const part = searchedPart(collection, hidden)
  const records = recordsOfRows(readPart(collection, hidden), rows)
  const found = await findHighlights(deps, viewer, records, { search: query.search, hidden })
  const { id, name, label } = collection
  const items = found.map((one, at) => foundBody(part, one, records[at]))
  const isNamedSo = ({ title }: SearchHit): boolean =>
    query.search.terms.every(({ text }) => foldText(title).includes(text))
  const [named, others] = [items.filter(isNamedSo), items.filter((item) => !isNamedSo(item))]
  return { collection: { id, name, label }, items: [...named, ...others], hasMore }
}

/** Also the fields from which formulas are calculated. */
function readPart(collection: Collection, hidden: HiddenFields): Collection {
  const { fields } = searchedPart(collection, hidden)
  return { ...collection, fields: [...fields, ...missingInputs(collection, fields)] }
}

/** If more records match than are shown, title matches are listed first. */
async function firstRows({ collection, query, hidden, scope }: OneSearch) {
  const { fields } = readPart(collection, hidden)
  const { limit } = query.page
  const { rows, hasMore } = await selectPage(scope, query, fields)
  const named = collection.titleField === null ? undefined : withinField(query.search, collection.titleField)
  if (!hasMore || !named) return { rows, hasMore }
  const first = await selectPage(scope, { ...query, search: named }, fields)
  const ids = new Set(first.rows.map((row) => row['id']))
  const all: CollectionRow[] = [...first.rows, ...rows.filter((row) => !ids.has(row['id'] ?? null))]
  return { rows: all.slice(0, limit), hasMore }
}

function foundBody(
  collection: Collection,
  { record, marks }: HighlightedRecord,
  stored: CollectionRecord | undefined,
): SearchHit {
  const titleField = collection.titleField === null ? undefined : fieldById(collection, collection.titleField)
  // Values that are hidden in this record are left out.
  const shown = titleField && Object.hasOwn(record.values, titleField.name) ? titleField : undefined
  const title = shown ? printValue(shown, stored?.values[shown.id] ?? null) : ''
  const isTitle = shown !== undefined && record.values[shown.name] === title
  return {
    id: record.id,
    title,
    titleMarks: isTitle ? (marks[shown.name] ?? []).map(pair) : [],
    snippet: snippetIn(collection, record.values, marks, isTitle ? shown.name : undefined),
  }
}

function snippetIn(
  { fields }: Collection,
  values: { readonly [field: string]: unknown },
  marks: RecordMarks,
  title: string | undefined,
): SearchHit['snippet'] {
  const field = fields.find(({ name }) => name !== title && marks[name] !== undefined)
  const own = field && marks[field.name]
  if (!own) return null
  const value = entriesOf(values[field.name])
  const entry = own[0]?.[2]
  const text = textOf(Array.isArray(value) ? value[entry ?? 0] : value)
  const piece = snippetOf(
    text,
    own.filter(([, , place]) => place === entry),
  )
  return { field: field.name, label: field.label, text: piece.text, marks: piece.marks.map(pair) }
}

const pair = ([from, to]: Mark): number[] => [from, to]

export const searchRoutes = (deps: RecordDeps & IndexProgressDeps): readonly Route[] => [
  // Collections that the actor may not read are not searched.
  route(api.searchEverything, signedIn, async ({ actor, query }) => searchEverything(deps, actor, query)),
  route(api.readSearchIndex, can('records:read'), async ({ actor, params }) =>
    readSearchIndex(deps, actor, params.collection),
  ),
]
