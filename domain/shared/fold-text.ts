/**
 * The folded form of a text: what `~`, `^=`, `$=`, search and text order compare. Both databases store it beside the
 * value and compare bytes only, so the meaning is the same in every executor. NFKD, combining marks removed, lower case.
 */
export function foldText(text: string): string {
  // Folding twice: some capital letters decompose only after they were lowered (İ → i + dot above).
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
}
