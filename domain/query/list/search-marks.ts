import type { Field } from '../../fields/field.ts'
import { foldedNeedle, foldedText } from '../../fields/folded-text.ts'
import { foldText } from '../../shared/text.ts'

/** Search match: start and end UTF-16 offsets in the displayed text, plus the value index in list fields. */
export type Mark = readonly [from: number, to: number, entry?: number]

/** Search matches by field name; fields without matches are absent. */
export type RecordMarks = { readonly [fieldName: string]: readonly Mark[] }

/** Finds search terms in displayed texts and names. The caller must pass only fields that the reader can see. */
export function marksIn(
  values: { readonly [fieldName: string]: unknown },
  terms: readonly string[],
  fields: readonly Field[],
): RecordMarks {
  const marks: { [fieldName: string]: readonly Mark[] } = Object.create(null)
  for (const field of fields) {
    const own = marksOf(values[field.name], finderFor(field, terms))
    if (own.length > 0) marks[field.name] = own
  }
  return marks
}

type Finder = (text: string) => readonly (readonly [from: number, to: number])[]

/** Phone numbers are searched by digits, all other values by folded text. */
function finderFor({ kind }: Field, terms: readonly string[]): Finder {
  if (kind !== 'phone') return (text) => findFolded(text, terms)
  const needles = terms.flatMap((term) => foldedNeedle(kind, term) ?? [])
  const fold = (text: string): string => foldedText(kind, text)
  return (text) => findFolded(text, needles, fold)
}

/** The records that a reverse side shows are entries like those of a list. */
export const entriesOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'records' in value ? value.records : value

function marksOf(shown: unknown, find: Finder): Mark[] {
  const value = entriesOf(shown)
  if (!Array.isArray(value)) return find(textOf(value)).map(([from, to]) => [from, to])
  return value.flatMap((entry, at) => find(textOf(entry)).map(([from, to]): Mark => [from, to, at]))
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return ''
  if ('title' in value) return String(value.title)
  return 'name' in value ? String(value.name) : ''
}

/** Excerpt around the first match, with the offsets of matches in it. */
export type Snippet = { readonly text: string; readonly marks: readonly Mark[] }

/** In UTF-16 units. */
const CONTEXT_BEFORE = 30
const SNIPPET_LENGTH = 140

/** The excerpt is cut between words if possible. */
export function snippetOf(text: string, marks: readonly Mark[]): Snippet {
  const first = marks[0]?.[0] ?? 0
  const start = first <= CONTEXT_BEFORE ? 0 : wordStart(text, first - CONTEXT_BEFORE, first)
  const end = Math.min(text.length, start + SNIPPET_LENGTH)
  const piece = text.slice(start, end).toWellFormed()
  const [before, after] = [start > 0 ? '…' : '', end < text.length ? '…' : '']
  const shift = before.length - start
  const inside = marks.filter(([from, to]) => from >= start && to <= end)
  return {
    text: before + piece.replaceAll(/\s/g, ' ') + after,
    marks: inside.map(([from, to]) => [from + shift, to + shift]),
  }
}

/** Start of the first word after `from`, or `from` if no word starts before `latest`. */
function wordStart(text: string, from: number, latest: number): number {
  const gap = text.slice(from, latest).search(/\s\S/)
  return gap === -1 ? from : from + gap + 1
}

export type TextRange = readonly [from: number, to: number]

/** Maximum number of highlighted matches. */
const MAX_RANGES = 50

/**
 * Finds folded search terms and maps them back to the original text, because folding changes lengths (`ﬁ` becomes two
 * letters, an accent none). Results are sorted and merged. `fold` must work character by character.
 */
export function findFolded(text: string, needles: readonly string[], fold: Fold = foldText): TextRange[] {
  const folded = fold(text)
  const hits = mergeRanges(needles.flatMap((needle) => occurrences(folded, needle)))
  const isAsWritten = hits.length === 0 || (fold === foldText && isAscii(text))
  return isAsWritten ? hits : mapBack(text, hits, fold)
}

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

/** Sorts ranges and merges overlapping or adjacent ones. */
function mergeRanges(ranges: readonly TextRange[]): TextRange[] {
  const whole: TextRange[] = []
  for (const [from, to] of [...ranges].sort((left, right) => left[0] - right[0])) {
    const last = whole.at(-1)
    if (last && from <= last[1]) whole.splice(-1, 1, [last[0], Math.max(last[1], to)])
    else whole.push([from, to])
  }
  return whole.slice(0, MAX_RANGES)
}

/** Walks the text and its folded form in parallel; `hits` are sorted positions in the folded form. */
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

/** A combining mark belongs to the letter before it. */
const startsCharacter = (foldedLength: number, fold: Fold): boolean => foldedLength > 0 || fold !== foldText

const isAscii = (text: string): boolean => !/[^\0-\x7F]/.test(text)

const foldCache = new Map<string, string>()

/** Context can change which letters folding produces (σ, ς), but not how many. */
function foldedLetters(character: string): string {
  const found = foldCache.get(character)
  if (found !== undefined) return found
  const letters = character <= '\x7F' ? character : foldText(character)
  if (foldCache.size < MAX_CACHED) foldCache.set(character, letters)
  return letters
}

/** More than the number of distinct characters in a typical workspace, so that all of them are cached. */
const MAX_CACHED = 5_000
