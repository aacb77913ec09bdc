/**
 * The folded form of a text: what `~`, `^=`, `$=`, search and text order compare. Both databases store it beside the
 * value and compare bytes only, so the meaning is the same in every executor. NFKD, combining marks removed, lower case.
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

/** The folded forms of the first 256 characters: nearly all texts of many languages, so these are folded by a look. */
const LATIN = Array.from({ length: 0x100 }, (_, code) => foldAnyText(String.fromCharCode(code)))

/** The same for every text there is; what `foldText` means. */
export function foldAnyText(text: string): string {
  // Folding twice: some capital letters decompose only after they were lowered (İ → i + dot above).
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
}

/** How many bytes a well-formed text has in UTF-8. */
export function utf8Length(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    // Each half of a pair beyond 16 bits counts two of its four bytes.
    count += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  }
  return count
}

/**
 * The same text for itself: one that was cut out of a longer text keeps all of that in memory. For texts that are kept
 * much longer than what they come from.
 */
export const detachString = (text: string): string => text.split('').join('')
