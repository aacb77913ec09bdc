import { type Result, fail, ok } from '../shared/result.ts'

/** One piece of a filter's text. `text` is as written, `position` where it begins. */
export type Token = { readonly type: TokenType; readonly text: string; readonly position: number }

/** What a piece is: `word` covers names, ids, paths and the words of the language. */
export type TokenType = 'word' | 'number' | 'string' | 'marker' | 'sign' | 'end'

/** Why a text is no filter: what was expected, and where (UTF-16 units from 0). */
export type SyntaxFault = { readonly message: string; readonly position: number }

/** A field name or a record id: 26 characters that may start with a digit. */
const NAME = '(?:[0-9a-hjkmnp-tv-z]{26}(?![A-Za-z0-9_])|[A-Za-z_][A-Za-z0-9_]*)'

const TOKEN_PATTERNS: readonly { readonly type: TokenType; readonly shape: RegExp }[] = [
  { type: 'word', shape: new RegExp(`${NAME}(?:\\.${NAME})*`, 'y') },
  { type: 'number', shape: /-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z0-9_.-])/y },
  { type: 'string', shape: /"(?:[^"\\]|\\["\\])*"/y },
  { type: 'marker', shape: /@(?:me\.[A-Za-z_][A-Za-z0-9_]*|[A-Za-z]+(?:[+-]\d+[A-Za-z])?)(?![A-Za-z0-9_])/y },
  { type: 'sign', shape: /&&|\|\||!=|!~|<=|>=|\^=|\$=|[=<>~(),]/y },
]

const SPACE = /\s*/y

/** Cuts a filter's text into its pieces; the last is always `end`. */
export function tokensOf(text: string): Result<readonly Token[], SyntaxFault> {
  const tokens: Token[] = []
  let position = skipSpace(text, 0)
  while (position < text.length) {
    const token = tokenAt(text, position)
    if (!token) return fail(describeUnexpected(text, position))
    tokens.push(token)
    position = skipSpace(text, position + token.text.length)
  }
  return ok([...tokens, { type: 'end', text: '', position: text.length }])
}

function tokenAt(text: string, position: number): Token | undefined {
  for (const { type, shape } of TOKEN_PATTERNS) {
    shape.lastIndex = position
    const found = shape.exec(text)?.[0]
    if (found !== undefined) return { type, text: found, position }
  }
  return undefined
}

function skipSpace(text: string, from: number): number {
  SPACE.lastIndex = from
  SPACE.exec(text)
  return SPACE.lastIndex
}

/** Says in words of the language what is wrong with a place where no piece begins. */
function describeUnexpected(text: string, position: number): SyntaxFault {
  const sign = String.fromCodePoint(text.codePointAt(position) ?? 0)
  if (sign === '"') {
    const escape = /\\[^"\\]/.exec(text.slice(position))
    return escape
      ? {
          message: `Inside quotes, use a backslash only before " or \\, not before “${escape[0].slice(1)}”.`,
          position: position + escape.index,
        }
      : { message: 'The quotation mark here is never closed.', position }
  }
  if (/['“”„‘’«»`]/.test(sign))
    return { message: `Put text in straight double quotes ("…"), not in ${sign}.`, position }
  if (/[\d-]/.test(sign)) return { message: 'Not a number. Put dates and text in double quotes.', position }
  if (sign === '&' || sign === '|')
    return { message: `Join conditions with && and ||, not with a single ${sign}.`, position }
  if (sign === '!') return { message: 'There is no “not” operator. Use !=, !~ or “is not empty”.', position }
  if (sign === '@') return { message: 'Expected me, now or today after @, such as @today-7d.', position }
  return { message: `Unexpected “${sign}”.`, position }
}
