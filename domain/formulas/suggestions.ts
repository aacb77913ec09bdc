import type { Field } from '#domain/fields/field.ts'
import { FUNCTIONS, signatureOf } from './functions/functions.ts'
import { SUMMARY_FUNCTIONS } from './functions/summary-functions.ts'

/** A field or function that can be inserted at the cursor, in place of the text from `from` to `to`. */
export type FormulaSuggestion = {
  readonly is: 'field' | 'function'
  /** The inserted text; a function ends with an opening parenthesis. */
  readonly text: string
  readonly label: string
  readonly from: number
  readonly to: number
}

const IN_WORD = /[A-Za-z0-9_]/

/** The name that ends at a position, in lowercase. */
const wordBefore = (text: string, end: number): string => text.slice(wordStart(text, end), end).toLowerCase()

function wordStart(text: string, end: number): number {
  let start = end
  while (start > 0 && IN_WORD.test(text.charAt(start - 1))) start -= 1
  return start
}

const WORD_AFTER = /^[A-Za-z0-9_]*/

const MAX_SUGGESTIONS = 8

type Named = Pick<Field, 'name' | 'label'>

/**
 * Fields and functions whose names contain the word at the cursor; those that start with it come first. `linkedFields`
 * returns the fields of linked records at the end of a path, which are suggested after a dot; absent in conditions.
 */
export function suggestionsAt(
  text: string,
  cursor: number,
  fields: readonly Named[],
  linkedFields?: (path: readonly string[]) => readonly Named[],
): readonly FormulaSuggestion[] {
  const word = callsAt(text, cursor) && wordBefore(text, cursor)
  if (word === undefined) return []
  const place = { from: cursor - word.length, to: cursor + (WORD_AFTER.exec(text.slice(cursor))?.[0].length ?? 0) }
  const path = pathBefore(text, place.from)
  if (word === '' && (path === undefined || !linkedFields)) return []
  const near = path === undefined ? fields : (linkedFields?.(path) ?? [])
  const all: readonly FormulaSuggestion[] = [
    ...near.map(({ name, label }) => ({ is: 'field', text: name, label, ...place }) as const),
    ...(path === undefined ? functionSignatures(linkedFields !== undefined) : []).map(
      ([name, label]) => ({ is: 'function', text: `${name}(`, label, ...place }) as const,
    ),
  ]
  const rankOf = ({ is, text: name, label }: FormulaSuggestion): number => {
    const folded = name.toLowerCase()
    if (folded.startsWith(word)) return 0
    const isInLabel = is === 'field' && label.toLowerCase().includes(word)
    return folded.includes(word) || isInLabel ? 1 : 2
  }
  return all
    .filter((each) => rankOf(each) < 2 && each.text !== word)
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .slice(0, MAX_SUGGESTIONS)
}

/** The names before a position that are followed by dots; undefined if there are none. */
function pathBefore(text: string, end: number): readonly string[] | undefined {
  const names: string[] = []
  let at = end
  while (text[at - 1] === '.') {
    const start = wordStart(text, at - 1)
    if (start === at - 1) return undefined
    names.unshift(text.slice(start, at - 1))
    at = start
  }
  return names.length === 0 ? undefined : names
}

const functionSignatures = (canSummarize: boolean): readonly (readonly [name: string, signature: string])[] => [
  ...[...FUNCTIONS].map(([name, known]) => [name, signatureOf(name, known)] as const),
  ...(canSummarize ? [...SUMMARY_FUNCTIONS.keys()] : [])
    .filter((name) => !FUNCTIONS.has(name))
    .map((name) => [name, summarySignature(name)] as const),
]

const summarySignature = (name: string): string => `${name}(links.field)`

/** The function whose arguments contain the cursor. */
export type CallAtCursor = { readonly name: string; readonly signature: string; readonly help: string }

export function callAt(text: string, cursor: number): CallAtCursor | undefined {
  const name = callsAt(text, cursor)?.findLast((each) => FUNCTIONS.has(each) || SUMMARY_FUNCTIONS.has(each))
  if (name === undefined) return undefined
  const known = FUNCTIONS.get(name)
  if (known) return { name, signature: signatureOf(name, known), help: known.help }
  const summary = SUMMARY_FUNCTIONS.get(name)
  return summary && { name, signature: summarySignature(name), help: summary.help }
}

/** Names before the parentheses that are open at the cursor; undefined within a text. */
function callsAt(text: string, cursor: number): readonly string[] | undefined {
  const open: string[] = []
  let isInText = false
  for (let at = 0; at < cursor; at += 1) {
    const sign = text[at]
    if (isInText && sign === '\\') at += 1
    else if (sign === '"') isInText = !isInText
    else if (!isInText && sign === '(') open.push(wordBefore(text, at))
    else if (!isInText && sign === ')') open.pop()
  }
  return isInText ? undefined : open
}
