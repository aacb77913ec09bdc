/**
 * The first text, by code point, that stands behind every text with a prefix: what starts with `ab` lies from `ab` up to
 * `ac`. undefined where nothing stands behind: a prefix of nothing but the last code point there is.
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

/** Surrogates are no code points of texts. */
const nextCodePoint = (point: number): number => (point === 0xd7ff ? 0xe000 : point + 1)
