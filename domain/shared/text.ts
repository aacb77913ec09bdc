/**
 * Folds text for `~`, `^=`, `$=`, search and sort: NFKD, combining marks removed, lowercase. Databases store the folded
 * form and compare bytes, so every executor gives the same result.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase()
  let folded = ''
  let end = 0
  for (let at = 0; at < lower.length; at += 1) {
    const code = lower.charCodeAt(at)
    if (code < FIRST_BEYOND_ASCII) continue
    const letter = LATIN[code]
    if (letter === undefined) return foldAnyText(text)
    folded += lower.slice(end, at) + letter
    end = at + 1
  }
  return end === 0 ? lower : folded + lower.slice(end)
}

const FIRST_BEYOND_ASCII = 0x80

/** Folded forms of the first 256 characters; a fast path for most text. */
const LATIN = Array.from({ length: 0x100 }, (_, code) => foldAnyText(String.fromCharCode(code)))

/** Reference implementation of `foldText`, without the fast path. */
export function foldAnyText(text: string): string {
  // Lowercase first: some uppercase letters decompose only after that (İ → i + dot above).
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
}

/** UTF-8 length in bytes; the text must be well-formed. */
export function utf8Length(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    // Each surrogate counts as two of a pair's four bytes.
    count += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  }
  return count
}

/** Copies a substring, which would otherwise keep the original text in memory. */
export const detachString = (text: string): string => text.split('').join('')

/** Form of a phone number used for search and sorting: digits, with an optional leading plus. */
export const phoneDigits = (number: string): string =>
  (number.trimStart().startsWith('+') ? '+' : '') + number.replaceAll(/\D/g, '')
