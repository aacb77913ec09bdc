import type { Field } from '#domain/fields/field.ts'
import type { Json } from '#domain/shared/json.ts'
import type { Collection } from '../../collections/collection.ts'
import type { KeyValue } from '../../shared/compare-values.ts'
import type { RecordId } from '../../shared/ids.ts'
import { ok, type Result } from '../../shared/result.ts'
import {
  checkFilterIn,
  checkStoredFilter,
  environmentOfActor,
  joinChecked,
  markChecked,
} from '../check/check-filter.ts'
import {
  ALL_RECORDS,
  type CheckedFilter,
  conditionsIn,
  isClock,
  NO_RECORDS,
  sourcesOf,
} from '../check/checked-filter.ts'
import {
  calendarOf,
  invalidQuery,
  type QueryContext,
  type QueryEnvironment,
  type QueryFault,
  type VisibleCollection,
} from '../check/query-context.ts'
import type { Filter } from '../filter/filter.ts'
import { MAX_CURSOR_LENGTH, MAX_PER_PAGE } from '../query-limits.ts'
import type { Anchor } from './page-index.ts'
import type { ManualOrder } from '../../views/manual-order.ts'
import { type CheckedSearch, checkSearch, NO_SEARCH } from './search.ts'
import { type CheckedSort, checkSort, endWithId, isNumberPart, parseSort } from './sort.ts'

/**
 * Cache key for checked queries; equal only if all arguments are equal. Permissions, time and time zone are already
 * resolved, so two actors share a key only if they get the same response. Not hashed, because a crafted collision would
 * leak results. Fields are identified by ID, so a key is valid for only one version of the definitions.
 */
export const identityOf = (...parts: readonly unknown[]): string => JSON.stringify(parts, plain)

/** Keeps values that JSON would drop, so that they produce different keys. */
function plain(_name: string, value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'bigint')
    throw new TypeError('A checked query must be plain data.')
  if (value instanceof Set || value instanceof Map) return [...value] as Json
  return isField(value) ? value.id : value
}

const isField = (value: unknown): value is Field =>
  typeof value === 'object' && value !== null && 'kind' in value && 'options' in value && 'id' in value

/** 64-bit non-cryptographic hash (two 32-bit FNV-1a halves); only for identification. */
export function fingerprint(text: string): string {
  const low = fnv(text, 0x811c9dc5)
  const high = fnv(text, 0x01000193)
  return low.toString(36) + high.toString(36)
}

function fnv(text: string, start: number): number {
  let hash = start
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  // Final mixing step, so that changing the last character changes the entire hash.
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0
}

export type RecordsQueryInput = PageInput & {
  readonly filter?: string | Filter | undefined
  /** Stored condition, added to the grant's condition; it can use hidden fields. */
  readonly storedFilter?: Filter | undefined
  /** Checked condition, added to the filter. */
  readonly extraFilter?: CheckedFilter | undefined
  readonly sort?: string | undefined
  /** The view's order that `sort` names, if the reader may use it. */
  readonly manualOrder?: ManualOrder | undefined
  readonly search?: string | undefined
}

declare const checked: unique symbol

/** Checked query, the only input that SQL executors accept. `where` includes the grant's condition. */
export type CheckedRecordsQuery = {
  readonly [checked]: true
  readonly collection: Collection
  readonly where: CheckedFilter
  readonly search: CheckedSearch
  readonly sort: CheckedSort
  readonly page: CheckedPage
  /** Fingerprint of the query that a cursor belongs to. */
  readonly fingerprint: string
}

type Parts = Omit<CheckedRecordsQuery, typeof checked>

/**
 * Validates a query for its actor and adds the row filter of their grants. Without read permission, the query matches
 * nothing.
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
  const search = checkSearch(input.search ?? '', environment)
  if (!search.ok) return search
  const { context, home } = environment
  const name = queryFingerprint(context, input)
  const requested = checkRequested(environment, input, name)
  if (!requested.ok) return requested

  const { filter, sort, page } = requested.value
  const filters = [
    home.visible && markChecked(home.visible),
    input.storedFilter && checkStoredFilter(input.storedFilter, context),
    input.extraFilter,
  ]
  const where = joinChecked(...filters.flatMap((storedFilter) => storedFilter ?? []), filter)
  const { collection } = context
  return ok(markQueryChecked({ collection, where, search: search.value, sort, page, fingerprint: name }))
}

type Requested = { readonly filter: CheckedFilter; readonly sort: CheckedSort; readonly page: CheckedPage }

/** The actor's filter and sort order. If they depend on the time, it is that of the first page. */
function checkRequested(
  environment: QueryEnvironment,
  input: RecordsQueryInput,
  name: string,
): Result<Requested, QueryFault> {
  const now = checkFilterAndSort(environment, input)
  if (!now.ok) return now
  const { filter, sort } = now.value
  const isTimed = hasTimeMarker(input.filter) || readsClockIn(filter, sort)
  const nowMs = isTimed ? environment.context.now.getTime() : undefined
  const page = checkPage(input, { fingerprint: name, sort, nowMs })
  if (!page.ok) return page
  const { asOfMs } = page.value
  const then = asOfMs === undefined ? now : checkFilterAndSort(atTime(environment, asOfMs), input)
  return then.ok ? ok({ ...then.value, page: page.value }) : then
}

function checkFilterAndSort(
  environment: QueryEnvironment,
  input: RecordsQueryInput,
): Result<Pick<Requested, 'filter' | 'sort'>, QueryFault> {
  const sort = checkSort(input.sort ?? '', environment, input.manualOrder)
  if (!sort.ok) return sort
  const filter = checkFilterIn(environment, input.filter ?? '')
  return filter.ok ? ok({ filter: filter.value, sort: sort.value }) : filter
}

export function everythingVisible(context: QueryContext): Pick<CheckedRecordsQuery, 'collection' | 'where' | 'search'> {
  const visible = environmentOfActor(context)?.home.visible
  const where = visible === undefined ? NO_RECORDS : (visible ?? ALL_RECORDS)
  return { collection: context.collection, where: markChecked(where), search: NO_SEARCH }
}

/** Locates the same page by an anchor instead of an ordinal. */
export const startingAt = (query: CheckedRecordsQuery, { after, skip }: Anchor): CheckedRecordsQuery => ({
  ...query,
  page: { ...query.page, after, skip },
})

/** Requests the next records in ID order after the given record. */
export const afterRecord = (
  query: CheckedRecordsQuery,
  { after, limit }: { readonly after: RecordId | null; readonly limit: number },
): CheckedRecordsQuery => ({
  ...query,
  page: { ordinal: 0, after: after === null ? null : [after], skip: 0, limit },
})

/** Cursor after the last record of a page, created from its sort key. */
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

// The brand is applied only here, so unchecked values can't have it.
const markQueryChecked = (parts: Parts): CheckedRecordsQuery => parts as CheckedRecordsQuery

/**
 * Fingerprint of filter, sort, search and time zone. Markers are included unresolved; the cursor contains the time at
 * which to resolve them.
 */
function queryFingerprint({ collection, timeZone }: QueryContext, { filter, sort, search }: RecordsQueryInput): string {
  const order = parseSort(sort ?? '').map(({ path, isDescending }) => [path, isDescending])
  return fingerprint(JSON.stringify([collection.id, filter ?? '', order, search ?? '', timeZone]))
}

/** Also true if a marker occurs only in a text value, which is harmless. */
const hasTimeMarker = (filter: RecordsQueryInput['filter']): boolean =>
  /@(?:now|today)/.test(JSON.stringify(filter ?? ''))

/** Whether a formula in a filter or sort order depends on the current time. */
const readsClockIn = (filter: CheckedFilter, sort: CheckedSort): boolean =>
  [...conditionsIn(filter).flatMap(sourcesOf), ...sort].some(({ leaf }) => isClock(leaf))

/** Evaluates the actor's filter and sort order at an earlier time; stored conditions always use the current time. */
function atTime({ context, home, collectionFor }: QueryEnvironment, asOfMs: number): QueryEnvironment {
  const then = { ...context, now: new Date(asOfMs) }
  const calendar = calendarOf(then)
  const seen = (each: VisibleCollection): VisibleCollection => ({ ...each, calendar })
  return {
    context: then,
    home: seen(home),
    collectionFor: (id) => {
      const found = collectionFor(id)
      return found && seen(found)
    },
  }
}

/**
 * Position in a sorted list: ordinal of the next record and sort key of the previous one. The key stays valid when
 * records are added or removed; the ordinal is used if the key is too long. Time-dependent filters use the time of the
 * first page, so that a list doesn't change between pages at midnight.
 */
type ListPlace = {
  readonly ordinal: number
  readonly after: readonly KeyValue[] | null
  /** Unix timestamp in ms; only for filters and sort orders that depend on the time. */
  readonly asOfMs?: number
}

/**
 * Encodes an opaque cursor. It contains only values that the reader has already seen and grants no access, so it isn't
 * signed. Only keys in a manual order aren't for its reader's eyes; the server encrypts them.
 */
function printCursor(fingerprint: string, { ordinal, after, asOfMs }: ListPlace): string {
  const head = `${fingerprint}.${ordinal}${asOfMs === undefined ? '' : `~${asOfMs}`}`
  const whole = after === null ? head : [head, ...after.map(printPart)].join('.')
  return whole.length <= MAX_CURSOR_LENGTH ? whole : head
}

/** Query fingerprint, ordinal, and time of the first page. */
const HEAD = /^([0-9a-z]{1,20})\.(\d{1,15})(?:~(\d{1,15}))?(?:\.|$)/

/** `foreign`: the cursor belongs to another query; `broken`: invalid for this sort. */
function parseCursor(text: string, fingerprint: string, sort: CheckedSort): ListPlace | 'foreign' | 'broken' {
  const [head, owner, count, asOf] = HEAD.exec(text) ?? []
  if (head === undefined) return 'broken'
  if (owner !== fingerprint) return 'foreign'
  const after = parseKey(text.slice(head.length), sort)
  if (after === 'broken') return 'broken'
  return { ordinal: Number(count), after, ...(asOf !== undefined && { asOfMs: Number(asOf) }) }
}

/** null if the key was too long for the cursor. */
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

/**
 * Escapes all characters except letters and digits as `_` and four hex digits, so the result is safe in any context.
 */
const escape = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9]/g, (unit) => `_${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const unescape = (text: string): string =>
  text.replaceAll(/_([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Page number starting at 1, or a cursor. */
export type PageInput = {
  readonly page?: number | undefined
  readonly perPage: number
  readonly cursor?: string | undefined
}

/** `skip` is the number of records to skip after the key. */
export type CheckedPage = ListPlace & { readonly skip: number; readonly limit: number }

/** `nowMs` is set for filters and sort orders that depend on the time. */
type PageOwner = { readonly fingerprint: string; readonly sort: CheckedSort; readonly nowMs: number | undefined }

/** Rejects cursors of other queries. */
function checkPage(input: PageInput, { fingerprint, sort, nowMs }: PageOwner): Result<CheckedPage, QueryFault> {
  const limit = Math.min(MAX_PER_PAGE, Math.max(1, Math.trunc(input.perPage)))
  if (input.cursor === undefined) {
    const page = Math.max(1, Math.trunc(input.page ?? 1))
    const started = nowMs === undefined ? {} : { asOfMs: nowMs }
    return ok({ ordinal: (page - 1) * limit, after: null, skip: 0, limit, ...started })
  }
  if (input.page !== undefined) return invalidQuery('cursor', 'Use either page or cursor, not both.')

  const place = parseCursor(input.cursor, fingerprint, sort)
  if (place === 'foreign')
    return invalidQuery(
      'cursor',
      'This cursor belongs to a different filter, search, sort order or time zone. Start again without it.',
    )
  const isBroken = place === 'broken' || (nowMs === undefined ? place.asOfMs !== undefined : !isPast(place, nowMs))
  if (isBroken) return invalidQuery('cursor', 'Invalid cursor. Start again without it.')
  return ok({ ...place, skip: 0, limit })
}

/** Rejects cursors with a time in the future. */
const isPast = ({ asOfMs }: ListPlace, nowMs: number): boolean => asOfMs !== undefined && asOfMs <= nowMs
