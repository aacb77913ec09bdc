import type { Collection } from '../../collections/collection.ts'
import type { KeyValue } from '../../shared/compare-values.ts'
import { fingerprint } from './query-identity.ts'
import type { RecordId } from '../../shared/ids.ts'
import { type Result, ok } from '../../shared/result.ts'
import {
  checkFilterIn,
  checkStoredFilter,
  environmentOfActor,
  joinChecked,
  markChecked,
} from '../check/check-filter.ts'
import { ALL_RECORDS, type CheckedFilter, NO_RECORDS } from '../check/checked-filter.ts'
import type { Filter } from '../filter/filter.ts'
import { type QueryContext, type QueryEnvironment, type QueryFault, invalidQuery } from '../check/query-context.ts'
import type { Anchor } from './page-index.ts'
import { type CheckedSearch, NO_SEARCH, checkSearch } from './search.ts'
import { type CheckedSort, checkSort, endWithId, isNumberPart, parseSort } from './sort.ts'
import { MAX_CURSOR_LENGTH, MAX_PER_PAGE } from '../query-limits.ts'

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

/**
 * A position in a sorted list: the ordinal of the next record and the sort key of the previous one. The key stays valid
 * while records come and go; the ordinal replaces keys that are too long. Time-dependent filters use the time of the
 * first page, so that midnight does not change a list between pages.
 */
type ListPlace = {
  readonly ordinal: number
  readonly after: readonly KeyValue[] | null
  /** Ms since 1970; only where the filter speaks of now or today. */
  readonly asOfMs?: number
}

/**
 * A place as opaque text for the way out and back. It names the query it belongs to and holds nothing its reader was
 * not shown; it needs no signature, for it grants nothing that a filter would not.
 */
function printCursor(fingerprint: string, { ordinal, after, asOfMs }: ListPlace): string {
  const head = `${fingerprint}.${ordinal}${asOfMs === undefined ? '' : `~${asOfMs}`}`
  const whole = after === null ? head : [head, ...after.map(printPart)].join('.')
  return whole.length <= MAX_CURSOR_LENGTH ? whole : head
}

/** Whose it is, the ordinal, and the moment the walk began. */
const HEAD = /^([0-9a-z]{1,20})\.(\d{1,15})(?:~(\d{1,15}))?(?:\.|$)/

/** Reads a cursor back; `stranger` belongs to another query, `broken` was not made by us for this sort. */
function parseCursor(text: string, fingerprint: string, sort: CheckedSort): ListPlace | 'stranger' | 'broken' {
  const [head, owner, count, asOf] = HEAD.exec(text) ?? []
  if (head === undefined) return 'broken'
  if (owner !== fingerprint) return 'stranger'
  const after = parseKey(text.slice(head.length), sort)
  if (after === 'broken') return 'broken'
  return { ordinal: Number(count), after, ...(asOf !== undefined && { asOfMs: Number(asOf) }) }
}

/** The key of the record before; null where it was too long to travel. */
function parseKey(text: string, sort: CheckedSort): readonly KeyValue[] | null | 'broken' {
  if (text === '') return null
  const parts = text.split('.')
  if (parts.length !== sort.length) return 'broken'
  const key: KeyValue[] = []
  for (const [at, part] of sort.entries()) {
    const value = parsePart(parts[at] ?? '', isNumberPart(part))
    if (value === undefined) return 'broken'
    key.push(value)
  }
  return key
}

function printPart(value: KeyValue): string {
  if (value === null) return 'e'
  return typeof value === 'number' ? `n${escape(String(value))}` : `t${escape(value)}`
}

function parsePart(text: string, isNumber: boolean): KeyValue | undefined {
  if (text === 'e') return null
  if (!text.startsWith(isNumber ? 'n' : 't')) return undefined

  const shown = unescape(text.slice(1))
  if (!isNumber) return shown.includes('\0') ? undefined : shown.toWellFormed()
  return shown !== '' && Number.isFinite(Number(shown)) ? Number(shown) : undefined
}

/** Escapes everything but letters and digits as `_` and four hex digits, safe in any context. */
const escape = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9]/g, (unit) => `_${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const unescape = (text: string): string =>
  text.replaceAll(/_([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Which part of a list is asked for: a page by its number from 1, or what follows a cursor. */
export type PageInput = {
  readonly page?: number | undefined
  readonly perPage: number
  readonly cursor?: string | undefined
}

/** Where a page begins and how many records it holds at most. Behind a key, `skip` records are passed over. */
export type CheckedPage = ListPlace & { readonly skip: number; readonly limit: number }

/** The query a page belongs to, and for one that is filtered by the clock when it is asked. */
type PageOwner = { readonly fingerprint: string; readonly sort: CheckedSort; readonly nowMs: number | undefined }

/** Proves a page; a cursor must belong to the same query. */
function checkPage(input: PageInput, { fingerprint, sort, nowMs }: PageOwner): Result<CheckedPage, QueryFault> {
  const limit = Math.min(MAX_PER_PAGE, Math.max(1, Math.trunc(input.perPage)))
  if (input.cursor === undefined) {
    const page = Math.max(1, Math.trunc(input.page ?? 1))
    const started = nowMs === undefined ? {} : { asOfMs: nowMs }
    return ok({ ordinal: (page - 1) * limit, after: null, skip: 0, limit, ...started })
  }
  if (input.page !== undefined) return invalidQuery('cursor', 'Use either page or cursor, not both.')

  const place = parseCursor(input.cursor, fingerprint, sort)
  if (place === 'stranger')
    return invalidQuery(
      'cursor',
      'This cursor belongs to a different filter, search, sort order or time zone. Start again without it.',
    )
  const isBroken = place === 'broken' || (nowMs === undefined ? place.asOfMs !== undefined : !isPast(place, nowMs))
  if (isBroken) return invalidQuery('cursor', 'Invalid cursor. Start again without it.')
  return ok({ ...place, skip: 0, limit })
}

/** Nobody looks at a list as of a moment that is still to come. */
const isPast = ({ asOfMs }: ListPlace, nowMs: number): boolean => asOfMs !== undefined && asOfMs <= nowMs
