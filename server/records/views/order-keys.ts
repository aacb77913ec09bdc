import { generateKeyBetween } from 'fractional-indexing'
import type { RecordId } from '#domain/shared/ids.ts'

/**
 * Key of a moved record: the ID of a record that it follows, and its position among all that follow it. Keys are
 * compared with the IDs of the records that weren't moved, so a move changes only one record. The separator is lower
 * than the characters of IDs and positions.
 */
const SEPARATOR = '!'

/** The first character after the separator. */
const AFTER_SEPARATOR = '"'

type OrderKey = { readonly anchor: string; readonly position: string | null }

function parseOrderKey(key: string): OrderKey {
  const at = key.indexOf(SEPARATOR)
  return at === -1 ? { anchor: key, position: null } : { anchor: key.slice(0, at), position: key.slice(at + 1) }
}

/** Bounds within which the nearest key decides the new one, both exclusive. */
export type OrderGap = {
  readonly from: string
  readonly to: string
  /** Whether the highest key in the gap is nearest. */
  readonly isFromEnd: boolean
}

/** The gap before or after a record, by the record's key or, if it wasn't moved, its ID. */
export function gapBeside(place: 'before' | 'after', neighbor: string): OrderGap {
  const { anchor, position } = parseOrderKey(neighbor)
  if (place === 'after') return { from: neighbor, to: anchor + AFTER_SEPARATOR, isFromEnd: false }
  const own = position === null ? idBefore(neighbor) : anchor
  return { from: own, to: position === null ? own + AFTER_SEPARATOR : neighbor, isFromEnd: true }
}

/** The key beside a record, between it and the nearest key in the gap. */
export function keyInGap(place: 'before' | 'after', neighbor: string, nearest: string | undefined): string {
  const own = parseOrderKey(neighbor)
  const other = nearest === undefined ? null : parseOrderKey(nearest).position
  const anchor = place === 'before' && own.position === null ? idBefore(neighbor) : own.anchor
  const [low, high] = place === 'after' ? [own.position, other] : [other, own.position]
  return anchor + SEPARATOR + generateKeyBetween(low, high)
}

/** The digits of IDs in ascending order. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/** The ID before another one, which no record has; empty for the lowest ID. */
function idBefore(id: RecordId): string {
  const at = [...id].findLastIndex((digit) => digit !== '0')
  const digit = DIGITS.indexOf(id[at] ?? '')
  return digit < 1 ? '' : `${id.slice(0, at)}${DIGITS[digit - 1]}${'z'.repeat(id.length - at - 1)}`
}
