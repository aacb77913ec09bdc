import type { KeyValue } from '#domain/shared/compare-values.ts'
import { MAX_CURSOR_LENGTH, MAX_PER_PAGE } from './query-limits.ts'
import { type CheckedSort, isNumberPart } from './sort.ts'
import { ok, type Result } from '#domain/shared/result.ts'
import { invalidQuery, type QueryFault } from './query-context.ts'

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
export function printCursor(fingerprint: string, { ordinal, after, asOfMs }: ListPlace): string {
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
export function checkPage(input: PageInput, { fingerprint, sort, nowMs }: PageOwner): Result<CheckedPage, QueryFault> {
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
