/** Signs that hardly anybody writes who does not mean Markdown. */
const STRONG_PATTERNS = [
  /^#{1,6} \S/m,
  /^(?:```|~~~)/m,
  /^\s*[-*+] \[[ xX]\] \S/m,
  /^\|?(?:\s*:?-{3,}:?\s*\|)+\s*(?::?-{3,}:?\s*)?$/m,
  /\[[^\]\n]+\]\((?:https?:|mailto:)[^)\s]+\)/,
  /(?:^|\s)\*\*\S(?:[^*\n]*\S)?\*\*(?=$|[\s.,;:!?)])/m,
]

/** Signs that stand in plain texts, too: two such lines mean Markdown. */
const WEAK_PATTERNS = /^(?:\s*[-*+] \S|\s*\d{1,6}[.)] \S|> ?\S)/gm

/** Whether a plain text looks as if it was written as Markdown. */
export function looksLikeMarkdown(text: string): boolean {
  return STRONG_PATTERNS.some((sign) => sign.test(text)) || [...text.matchAll(WEAK_PATTERNS)].length >= 2
}
