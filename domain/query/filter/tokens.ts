import { type Result, fail, ok } from '../../shared/result.ts'

/** `text` is the original source text. */
export type Token = { readonly type: TokenType; readonly text: string; readonly position: number }

/** `word` covers names, IDs, paths and keywords. */
export type TokenType = 'word' | 'number' | 'string' | 'marker' | 'sign' | 'end'

/** `position` is a zero-based UTF-16 offset. */
export type SyntaxFault = { readonly message: string; readonly position: number }

/** Field name or ID; IDs have 26 characters and can start with a digit. */
export const NAME = '(?:[0-9a-hjkmnp-tv-z]{26}(?![A-Za-z0-9_])|[A-Za-z_][A-Za-z0-9_]*)'

export type TokenPattern = { readonly type: TokenType; readonly shape: RegExp }

/** Text in double quotes; a backslash escapes a quote or a backslash. */
export const STRING_TOKEN = /"(?:[^"\\]|\\["\\])*"/y

export const textOfToken = (text: string): string => text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')

const TOKEN_PATTERNS: readonly TokenPattern[] = [
  { type: 'word', shape: new RegExp(`${NAME}(?:\\.${NAME})*`, 'y') },
  { type: 'number', shape: /-?(?!\d{4}-(?:\d|$))(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z0-9_.])/y },
  { type: 'string', shape: STRING_TOKEN },
  { type: 'marker', shape: /@(?:me\.[A-Za-z_][A-Za-z0-9_]*|[A-Za-z]+(?:[+-]\d+[A-Za-z])?)(?![A-Za-z0-9_])/y },
  { type: 'sign', shape: /&&|\|\||!=|!~|<=|>=|\^=|\$=|[=<>~(),+\-*/&]/y },
]

const SPACE = /\s*/y

/** The last token is always `end`. */
export function tokensOf(text: string, patterns = TOKEN_PATTERNS): Result<readonly Token[], SyntaxFault> {
  const tokens: Token[] = []
  let position = skipSpace(text, 0)
  while (position < text.length) {
    const token = tokenAt(text, position, patterns)
    if (!token) return fail(describeUnexpected(text, position))
    tokens.push(token)
    position = skipSpace(text, position + token.text.length)
  }
  return ok([...tokens, { type: 'end', text: '', position: text.length }])
}

function tokenAt(text: string, position: number, patterns: readonly TokenPattern[]): Token | undefined {
  for (const { type, shape } of patterns) {
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

function describeUnexpected(text: string, position: number): SyntaxFault {
  const sign = String.fromCodePoint(text.codePointAt(position) ?? 0)
  if (sign === '"') {
    const escape = /\\[^"\\]/.exec(text.slice(position))
    return escape
      ? {
          message: `Inside quotes, use a backslash only before " or \\, not before “${escape[0].slice(1)}”.`,
          position: position + escape.index,
        }
      : { message: 'Missing closing quotation mark.', position }
  }
  if (/['“”„‘’«»`]/.test(sign))
    return { message: `Put text in straight double quotes ("…"), not in ${sign}.`, position }
  if (/[\d-]/.test(sign)) return { message: 'Not a number. Put dates and text in double quotes.', position }
  if (sign === '|') return { message: singleJoiner(sign), position }
  if (sign === '!') return { message: 'There is no “!” operator. Use !=, !~, “is not empty” or not(…).', position }
  if (sign === '@') return { message: 'Expected me, now or today after @, such as @today-7d.', position }
  return { message: `Unexpected “${sign}”.`, position }
}

/** Reads tokens one by one. */
export type TokenReader = { readonly tokens: readonly Token[]; next: number }

// The last token is always `end`.
export const peek = (parser: TokenReader): Token => parser.tokens[parser.next] ?? { type: 'end', text: '', position: 0 }

/** Skips an operator or keyword, ignoring case. */
export function skip(parser: TokenReader, text: string): boolean {
  const token = peek(parser)
  const isMatch = (token.type === 'sign' || token.type === 'word') && token.text.toLowerCase() === text
  if (isMatch) parser.next += 1
  return isMatch
}

export const singleJoiner = (sign: '&' | '|'): string => `Combine conditions with && or ||, not with a single ${sign}.`
