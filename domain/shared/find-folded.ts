import { foldText } from './fold-text.ts'

/** A stretch of a text in UTF-16 units: from its first to behind its last. */
export type TextRange = readonly [from: number, to: number]

/** Most stretches marked in one text: beyond these nobody looks. */
const MOST_RANGES = 50

/**
 * Where folded needles occur in a text, as stretches of the text itself: folding changes lengths (`ﬁ` becomes two
 * letters, an accent none), so each is led back to the characters it came from. In order, and none touches another.
 */
export function findFolded(text: string, needles: readonly string[]): TextRange[] {
  const folded = foldText(text)
  const hits = joined(needles.flatMap((needle) => occurrences(folded, needle)))
  return hits.length === 0 || isAscii(text) ? hits : ledBack(text, hits)
}

function occurrences(folded: string, needle: string): TextRange[] {
  const found: TextRange[] = []
  if (needle === '') return found
  let at = folded.indexOf(needle)
  while (at !== -1 && found.length < MOST_RANGES) {
    found.push([at, at + needle.length])
    at = folded.indexOf(needle, at + needle.length)
  }
  return found
}

/** Stretches in order; those that overlap or touch become one. */
function joined(ranges: readonly TextRange[]): TextRange[] {
  const whole: TextRange[] = []
  for (const [from, to] of [...ranges].sort((left, right) => left[0] - right[0])) {
    const last = whole.at(-1)
    if (last && from <= last[1]) whole.splice(-1, 1, [last[0], Math.max(last[1], to)])
    else whole.push([from, to])
  }
  return whole.slice(0, MOST_RANGES)
}

/** Walks along the text and its folded form side by side; `hits` stand in the folded form, in order. */
function ledBack(text: string, hits: readonly TextRange[]): TextRange[] {
  const found: TextRange[] = []
  const begun: { at: number | undefined } = { at: undefined }
  let inFolded = 0
  let at = 0
  for (const character of text) {
    const length = foldedLength(character)
    const hit = hits[found.length]
    if (!hit) break
    // A mark without a folded form of its own belongs to the letter before it.
    if (begun.at !== undefined && inFolded >= hit[1] && length > 0) {
      found.push([begun.at, at])
      begun.at = undefined
    }
    const next = hits[found.length]
    if (next && begun.at === undefined && length > 0 && inFolded + length > next[0]) begun.at = at
    inFolded += length
    at += character.length
  }
  return begun.at === undefined ? joined(found) : joined([...found, [begun.at, at]])
}

const isAscii = (text: string): boolean => !/[^\0-\x7F]/.test(text)

const lengths = new Map<string, number>()

/** How many units a character has in the folded form; what stands around it changes its letter at most (σ, ς). */
function foldedLength(character: string): number {
  if (character <= '\x7F') return 1
  const known = lengths.get(character)
  if (known !== undefined) return known
  const { length } = foldText(character)
  if (lengths.size < 5_000) lengths.set(character, length)
  return length
}
