/** How far letters beyond ASCII make words in a reading of a text: from -1 to 1, and of how many that is said. */
export type WordScore = { readonly score: number; readonly signs: number }

const LATIN = /\p{Script=Latin}/u
const SCRIPTS = [
  LATIN,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
]
const LETTER = /\p{L}|\p{M}/u
const UPPER = /\p{Lu}/u
const LOWER = /\p{Ll}/u
/** Signs that stand in texts beside letters in every language. */
const PUNCTUATION = /[€£§©®°·«»„“”‚‘’–—…•№\u00a0]/u

/** Reads every sign beyond ASCII with its neighbours: a letter among letters of its own alphabet, in a case that words have. */
export function wordScore(text: string): WordScore {
  const signs = [...text]
  let [sum, count] = [0, 0]
  for (const [at, sign] of signs.entries()) {
    if ((sign.codePointAt(0) ?? 0) < 0x80) continue
    count += 1
    sum += scoreSign(sign, signs[at - 1] ?? ' ', signs[at + 1] ?? ' ')
  }
  return { score: count === 0 ? 0 : sum / count, signs: count }
}

function scoreSign(sign: string, before: string, after: string): number {
  const isInWord = LETTER.test(before) || LETTER.test(after)
  if (!LETTER.test(sign)) return scoreSymbol(sign, isInWord)
  if (!isInWord) return 0.2
  const isOfOne = isOfOneScript(sign, before) && isOfOneScript(sign, after)
  const isMisread = LATIN.test(sign) && isForeignLetter(before) && isForeignLetter(after)
  return isOfOne && !isMisread ? scoreCase(sign, before, after) : -1
}

function scoreSymbol(sign: string, isInWord: boolean): number {
  if (PUNCTUATION.test(sign)) return 0.8
  return isInWord ? -1 : 0
}

/** Words may begin with a capital or be all capitals, but none begins anew in its middle. */
function scoreCase(sign: string, before: string, after: string): number {
  if (!UPPER.test(sign)) return 1
  if (LOWER.test(before)) return -1
  return UPPER.test(before) && LOWER.test(after) ? -0.5 : 1
}

const scriptOf = (sign: string): number => SCRIPTS.findIndex((script) => script.test(sign))

/** Letters with accents stand among those without: a word of them alone is another alphabet, misread. */
const isForeignLetter = (sign: string): boolean => (sign.codePointAt(0) ?? 0) >= 0x80 && LETTER.test(sign)

const isOfOneScript = (sign: string, other: string): boolean =>
  !LETTER.test(other) || scriptOf(sign) === scriptOf(other)
