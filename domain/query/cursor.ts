import type { KeyValue } from '../shared/compare-values.ts'
import { MAX_CURSOR_LENGTH } from './query-limits.ts'
import { type CheckedSort, isNumberPart } from './sort.ts'

/**
 * A place in a sorted list: the ordinal of the record that comes next, and the sort key of the one before it. The key
 * keeps its place while records come and go; the ordinal stands in where a key is too long to travel. A list that is
 * filtered by the clock is walked as of the moment its first page was asked, or midnight would change it on the way.
 */
export type ListPlace = {
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
export function parseCursor(text: string, fingerprint: string, sort: CheckedSort): ListPlace | 'stranger' | 'broken' {
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
  return typeof value === 'number' ? `n${hide(String(value))}` : `t${hide(value)}`
}

function parsePart(text: string, isNumber: boolean): KeyValue | undefined {
  if (text === 'e') return null
  if (!text.startsWith(isNumber ? 'n' : 't')) return undefined

  const shown = show(text.slice(1))
  if (!isNumber) return shown.includes('\0') ? undefined : shown.toWellFormed()
  return shown !== '' && Number.isFinite(Number(shown)) ? Number(shown) : undefined
}

/** Letters and digits stay; every other UTF-16 unit becomes `_` and four hex digits, which need no escaping anywhere. */
const hide = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9]/g, (unit) => `_${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const show = (text: string): string =>
  text.replaceAll(/_([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
