/**
 * Orders two texts by code point, as SQLite's BINARY and PostgreSQL's "C" collation order their UTF-8 bytes.
 * JavaScript's own `<` orders by UTF-16 unit and puts emoji before `～`.
 */
export function compareText(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let at = 0; at < shorter; at += 1) {
    const a = left.charCodeAt(at)
    const b = right.charCodeAt(at)
    if (a !== b) return lift(a) - lift(b)
  }
  return left.length - right.length
}

/** Surrogates stand above every other unit, as their code points do. */
function lift(unit: number): number {
  if (unit < 0xd800) return unit
  return unit > 0xdfff ? unit - 0x800 : unit + 0x2000
}
