import type { Field } from '#domain/fields/field.ts'
import { FUNCTIONS, signatureOf } from './functions/functions.ts'

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
function wordBefore(text: string, end: number): string {
  let start = end
  while (start > 0 && IN_WORD.test(text.charAt(start - 1))) start -= 1
  return text.slice(start, end).toLowerCase()
}

const WORD_AFTER = /^[A-Za-z0-9_]*/

const MAX_SUGGESTIONS = 8

/** Fields and functions whose names contain the word at the cursor; those that start with it come first. */
export function suggestionsAt(
  text: string,
  cursor: number,
  fields: readonly Pick<Field, 'name' | 'label'>[],
): readonly FormulaSuggestion[] {
  const word = callsAt(text, cursor) && wordBefore(text, cursor)
  if (!word) return []
  const place = { from: cursor - word.length, to: cursor + (WORD_AFTER.exec(text.slice(cursor))?.[0].length ?? 0) }
  const all: readonly FormulaSuggestion[] = [
    ...fields.map(({ name, label }) => ({ is: 'field', text: name, label, ...place }) as const),
    ...[...FUNCTIONS].map(
      ([name, known]) => ({ is: 'function', text: `${name}(`, label: signatureOf(name, known), ...place }) as const,
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

/** The function whose arguments contain the cursor. */
export type CallAtCursor = { readonly name: string; readonly signature: string; readonly help: string }

export function callAt(text: string, cursor: number): CallAtCursor | undefined {
  const name = callsAt(text, cursor)?.findLast((each) => FUNCTIONS.has(each))
  const known = name === undefined ? undefined : FUNCTIONS.get(name)
  return name !== undefined && known ? { name, signature: signatureOf(name, known), help: known.help } : undefined
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
