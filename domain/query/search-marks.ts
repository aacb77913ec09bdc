import type { Field } from '../fields/field.ts'
import { foldedNeedle, foldedText } from '../fields/folded-text.ts'
import { findFolded } from '../shared/find-folded.ts'

/**
 * Where a hit stands: from and to in UTF-16 units of the text people read, and in a field of many values the place of
 * the value among them.
 */
export type Mark = readonly [from: number, to: number, entry?: number]

/** The marks of one record by the name of the field; a field without a hit is not there. */
export type RecordMarks = { readonly [fieldName: string]: readonly Mark[] }

/**
 * Where these terms occur in the values of a record as they are shown: texts, names of choices, and what names related
 * records and files. Whoever calls says which fields, and with them what the reader may see.
 */
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

/** Telephone numbers are searched by their digits, everything else by its folded form. */
function finderFor({ kind }: Field, terms: readonly string[]): Finder {
  if (kind !== 'phone') return (text) => findFolded(text, terms)
  const needles = terms.flatMap((term) => foldedNeedle(kind, term) ?? [])
  const fold = (text: string): string => foldedText(kind, text)
  return (text) => findFolded(text, needles, fold)
}

function marksOf(value: unknown, find: Finder): Mark[] {
  if (!Array.isArray(value)) return find(textOf(value)).map(([from, to]) => [from, to])
  return value.flatMap((entry, at) => find(textOf(entry)).map(([from, to]): Mark => [from, to, at]))
}

/** The text in which a shown value is searched. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return ''
  if ('title' in value) return String(value.title)
  return 'name' in value ? String(value.name) : ''
}

/** A piece of a text around its first hit, with the marks inside it. */
export type Snippet = { readonly text: string; readonly marks: readonly Mark[] }

/** How much of a long text is shown before its first hit, and in all, in UTF-16 units. */
const CONTEXT_BEFORE = 30
const SNIPPET_LENGTH = 140

/** The piece of a text that shows its first hit; cut between words where words are short enough. */
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

/** The first beginning of a word behind `from`, or `from` itself where none comes before `latest`. */
function wordStart(text: string, from: number, latest: number): number {
  const gap = text.slice(from, latest).search(/\s\S/)
  return gap === -1 ? from : from + gap + 1
}
