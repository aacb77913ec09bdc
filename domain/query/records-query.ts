import type { Collection } from '../collections/collection.ts'
import type { KeyValue } from '../shared/compare-values.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import type { RecordId } from '../shared/ids.ts'
import { type Result, ok } from '../shared/result.ts'
import { checkFilterIn, checkStoredFilter, joinChecked, markChecked, environmentOfActor } from './check-filter.ts'
import { ALL_RECORDS, type CheckedFilter, NO_RECORDS } from './checked-filter.ts'
import { type CheckedPage, checkPage, type PageInput, printCursor } from './cursor.ts'
import type { Filter } from './filter.ts'

import type { QueryContext, QueryFault } from './query-context.ts'
import type { Anchor } from './page-index.ts'
import { type CheckedSearch, NO_SEARCH, checkSearch } from './search.ts'
import { type CheckedSort, checkSort, endWithId, parseSort } from './sort.ts'
import type { QueryEnvironment } from './query-environment.ts'

/** What is asked of a collection, as it came from outside. */
export type RecordsQueryInput = PageInput & {
  readonly filter?: string | Filter | undefined
  /** A condition of the workspace's own besides the grant's, which is always joined: it may name hidden fields. */
  readonly storedFilter?: Filter | undefined
  /** One that was proven already; always joined as well. */
  readonly extraFilter?: CheckedFilter | undefined
  readonly sort?: string | undefined
  readonly search?: string | undefined
}

declare const checked: unique symbol

/** A whole query, proven; the only thing the SQL side accepts. The grant's row condition is part of `where`. */
export type CheckedRecordsQuery = {
  readonly [checked]: true
  readonly collection: Collection
  readonly where: CheckedFilter
  readonly search: CheckedSearch
  readonly sort: CheckedSort
  readonly page: CheckedPage
  /** Tells whether a cursor was made by the same query. */
  readonly fingerprint: string
}

type Parts = Omit<CheckedRecordsQuery, typeof checked>

/**
 * Proves a query for its actor. The row condition of the actor's grant is joined here, so nobody can forget it; where
 * the actor may read nothing, nothing is found.
 */
export function checkRecordsQuery(
  input: RecordsQueryInput,
  context: QueryContext,
): Result<CheckedRecordsQuery, QueryFault> {
  const environment = environmentOfActor(context)
  return environment ? checkInEnvironment(environment, input) : ok(emptyQuery(input, context.collection))
}

function checkInEnvironment(
  environment: QueryEnvironment,
  input: RecordsQueryInput,
): Result<CheckedRecordsQuery, QueryFault> {
  const sort = checkSort(input.sort ?? '', environment)
  if (!sort.ok) return sort
  const search = checkSearch(input.search ?? '', environment)
  if (!search.ok) return search

  const { context, home } = environment
  const name = queryFingerprint(context, input)
  const nowMs = dependsOnTime(input.filter) ? context.now.getTime() : undefined
  const page = checkPage(input, { fingerprint: name, sort: sort.value, nowMs })
  if (!page.ok) return page
  const filter = checkFilterIn(atTime(environment, page.value.asOfMs), input.filter ?? '')
  if (!filter.ok) return filter

  const filters = [
    home.visible && markChecked(home.visible),
    input.storedFilter && checkStoredFilter(input.storedFilter, context),
    input.extraFilter,
  ]
  const where = joinChecked(...filters.flatMap((storedFilter) => storedFilter ?? []), filter.value)
  return ok(
    markQueryChecked({
      collection: context.collection,
      where,
      search: search.value,
      sort: sort.value,
      page: page.value,
      fingerprint: name,
    }),
  )
}

/** What is in a list of everything that an actor may see; the grant's row condition decides, and nothing else. */
export function everythingVisible(context: QueryContext): Pick<CheckedRecordsQuery, 'collection' | 'where' | 'search'> {
  const visible = environmentOfActor(context)?.home.visible
  const where = visible === undefined ? NO_RECORDS : (visible ?? ALL_RECORDS)
  return { collection: context.collection, where: markChecked(where), search: NO_SEARCH }
}

/** The same page, found by a place in the list instead of its ordinal alone. */
export const startingAt = (query: CheckedRecordsQuery, { after, skip }: Anchor): CheckedRecordsQuery => ({
  ...query,
  page: { ...query.page, after, skip },
})

/** A list without an order of its own as one walks it: so many records behind one of them, in the order of ids. */
export const afterRecord = (
  query: CheckedRecordsQuery,
  { after, limit }: { readonly after: RecordId | null; readonly limit: number },
): CheckedRecordsQuery => ({
  ...query,
  page: { ordinal: 0, after: after === null ? null : [after], skip: 0, limit },
})

/** The cursor behind the last record of a page, from that record's sort key. */
export function cursorAfter(query: CheckedRecordsQuery, recordCount: number, lastKey: readonly KeyValue[]): string {
  return printCursor(query.fingerprint, { ...query.page, ordinal: query.page.ordinal + recordCount, after: lastKey })
}

function emptyQuery({ perPage }: RecordsQueryInput, collection: Collection): CheckedRecordsQuery {
  const page: CheckedPage = { ordinal: 0, after: null, skip: 0, limit: perPage }
  return markQueryChecked({
    collection,
    where: markChecked(NO_RECORDS),
    search: NO_SEARCH,
    sort: endWithId([]),
    page,
    fingerprint: '0',
  })
}

// The only place where the brand is given; no value can carry it by itself.
const markQueryChecked = (parts: Parts): CheckedRecordsQuery => parts as CheckedRecordsQuery

/**
 * The same for queries that ask the same in the same order on the same calendar. Markers count as written: what they
 * mean is told by the moment a walk began, which its cursors carry.
 */
function queryFingerprint({ collection, timeZone }: QueryContext, { filter, sort, search }: RecordsQueryInput): string {
  const order = parseSort(sort ?? '').map(({ path, isDescending }) => [path, isDescending])
  return fingerprint(JSON.stringify([collection.id, filter ?? '', order, search ?? '', timeZone]))
}

/** Whether the clock decides what a filter finds. One that only holds the word in a text is taken for such a one: no harm. */
const dependsOnTime = (filter: RecordsQueryInput['filter']): boolean =>
  /@(?:now|today)/.test(JSON.stringify(filter ?? ''))

/** The surroundings at a moment that has passed, for the actor's own filter alone: rules always ask the clock. */
function atTime(environment: QueryEnvironment, asOfMs: number | undefined): QueryEnvironment {
  if (asOfMs === undefined) return environment
  return { ...environment, context: { ...environment.context, now: new Date(asOfMs) } }
}
