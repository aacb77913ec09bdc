import { foldText } from './fold-text.ts'

/** A stretch of a text in UTF-16 units: from its first to behind its last. */
export type TextRange = readonly [from: number, to: number]

/** Most stretches marked in one text: beyond these nobody looks. */
const MAX_RANGES = 50

/**
 * Where folded needles occur in a text, as stretches of the text itself: folding changes lengths (`ﬁ` becomes two
 * letters, an accent none), so each is led back to the characters it came from. In order, and none touches another.
 * Another way to fold must do so character by character, but for what stands around one.
 */
export function findFolded(text: string, needles: readonly string[], fold: Fold = foldText): TextRange[] {
  const folded = fold(text)
  const hits = mergeRanges(needles.flatMap((needle) => occurrences(folded, needle)))
  const isAsWritten = hits.length === 0 || (fold === foldText && isAscii(text))
  return isAsWritten ? hits : mapBack(text, hits, fold)
}

/** Turns a text into the form in which it is searched. */
type Fold = (text: string) => string

function occurrences(folded: string, needle: string): TextRange[] {
  const found: TextRange[] = []
  if (needle === '') return found
  let at = folded.indexOf(needle)
  while (at !== -1 && found.length < MAX_RANGES) {
    found.push([at, at + needle.length])
    at = folded.indexOf(needle, at + needle.length)
  }
  return found
}

/** Stretches in order; those that overlap or touch become one. */
function mergeRanges(ranges: readonly TextRange[]): TextRange[] {
  const whole: TextRange[] = []
  for (const [from, to] of [...ranges].sort((left, right) => left[0] - right[0])) {
    const last = whole.at(-1)
    if (last && from <= last[1]) whole.splice(-1, 1, [last[0], Math.max(last[1], to)])
    else whole.push([from, to])
  }
  return whole.slice(0, MAX_RANGES)
}

/** Walks along the text and its folded form side by side; `hits` stand in the folded form, in order. */
function mapBack(text: string, hits: readonly TextRange[], fold: Fold): TextRange[] {
  const found: TextRange[] = []
  const open: { at: number | undefined } = { at: undefined }
  let foldedAt = 0
  let at = 0
  for (const character of text) {
    const { length } = fold === foldText ? foldedLetters(character) : fold(character)
    const hit = hits[found.length]
    if (!hit) break
    if (open.at !== undefined && foldedAt >= hit[1] && startsCharacter(length, fold)) {
      found.push([open.at, at])
      open.at = undefined
    }
    const next = hits[found.length]
    if (next && open.at === undefined && length > 0 && foldedAt + length > next[0]) open.at = at
    foldedAt += length
    at += character.length
  }
  return open.at === undefined ? mergeRanges(found) : mergeRanges([...found, [open.at, at]])
}

/** A mark without a folded form of its own belongs to the letter before it; what other folds pass over does not. */
const startsCharacter = (foldedLength: number, fold: Fold): boolean => foldedLength > 0 || fold !== foldText

const isAscii = (text: string): boolean => !/[^\0-\x7F]/.test(text)

const foldCache = new Map<string, string>()

/** The folded form of a character; what stands around it changes its letter at most (σ, ς), never how many there are. */
function foldedLetters(character: string): string {
  const found = foldCache.get(character)
  if (found !== undefined) return found
  const letters = character <= '\x7F' ? character : foldText(character)
  if (foldCache.size < MAX_CACHED) foldCache.set(character, letters)
  return letters
}

/** More different characters than people write in one workspace; the rest are folded anew each time. */
const MAX_CACHED = 5_000
