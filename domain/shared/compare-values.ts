/** Orders text by code point, like SQLite's BINARY and PostgreSQL's "C" collation, but unlike JavaScript's `<`. */
export function compareText(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let at = 0; at < shorter; at += 1) {
    const a = left.charCodeAt(at)
    const b = right.charCodeAt(at)
    if (a !== b) return lift(a) - lift(b)
  }
  return left.length - right.length
}

/** Surrogates sort after all other code units, as their code points do. */
function lift(unit: number): number {
  if (unit < 0xd800) return unit
  return unit > 0xdfff ? unit - 0x800 : unit + 0x2000
}

/** Sort key value; null means empty. */
export type KeyValue = string | number | null

/** Both values must have the same type. */
export function compareKeyValues(left: string | number, right: string | number): number {
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : Number(left > right)
  return compareText(String(left), String(right))
}

/** Empty values sort last, whether ascending or descending. */
function compareWithEmpty(left: KeyValue, right: KeyValue, isDescending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null)
  const order = compareKeyValues(left, right)
  return isDescending ? -order : order
}

/** Each value has its own sort direction. */
export function compareKeys(
  left: readonly KeyValue[],
  right: readonly KeyValue[],
  isDescending: readonly boolean[],
): number {
  for (const [at, descending] of isDescending.entries()) {
    const order = compareWithEmpty(left[at] ?? null, right[at] ?? null, descending)
    if (order !== 0) return order
  }
  return 0
}

/**
 * Smallest text, by code point, that sorts after every text with the prefix: `ab` → `ac`. Undefined if there is none.
 */
export function prefixUpperBound(prefix: string): string | undefined {
  const points = [...prefix]
  while (points.length > 0) {
    const last = points.pop()?.codePointAt(0) ?? LAST_POINT
    if (last < LAST_POINT) return points.join('') + String.fromCodePoint(nextCodePoint(last))
  }
  return undefined
}

const LAST_POINT = 0x10ffff

/** Next code point, skipping surrogates. */
const nextCodePoint = (point: number): number => (point === 0xd7ff ? 0xe000 : point + 1)
