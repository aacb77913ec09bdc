import { compareText } from './compare-text.ts'

/** One part of the key a record is sorted by: texts by code point, numbers by size, null for empty. */
export type KeyValue = string | number | null

/** Orders two filled parts of a key. The parts at one place of a key are always of one type. */
export function compareKeyValues(left: string | number, right: string | number): number {
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : Number(left > right)
  return compareText(String(left), String(right))
}

/** Orders two parts of a key where one may be empty: empty is last in both directions. */
function compareWithEmpty(left: KeyValue, right: KeyValue, isDescending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null)
  const order = compareKeyValues(left, right)
  return isDescending ? -order : order
}

/** Orders two whole keys, part by part; each part has its own direction. */
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
