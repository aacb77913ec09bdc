import { type Result, fail, ok } from '../../shared/result.ts'
import { suggestJoiner, suggestOperator } from './did-you-mean.ts'
import {
  type Comparison,
  type FieldOperand,
  type Filter,
  type FilterLiteral,
  OPERATORS,
  type Operator,
} from './filter.ts'
import { OPERATOR_RULES } from './operators.ts'
import { MAX_FILTER_DEPTH, MAX_FILTER_LENGTH } from '../query-limits.ts'

export type ComparisonPlace = { readonly field: number; readonly op: number; readonly value: number }

/** Filter tree with comparison positions, used in validation errors. */
export type ParsedFilter = { readonly filter: Filter; readonly places: ReadonlyMap<Comparison, ComparisonPlace> }

export const EVERYTHING: Filter = { all: [] }

const COMPARISON = 'a comparison such as =, !=, ~ or “is empty”'

/** Reads tokens one by one. */
export type TokenReader = { readonly tokens: readonly Token[]; next: number }

type Parser = TokenReader & {
  readonly places: Map<Comparison, ComparisonPlace>
  fault: SyntaxFault | undefined
}

/** Parses filter text; stops at the first error. */
export function parseFilter(text: string): Result<ParsedFilter, SyntaxFault> {
  if (text.length > MAX_FILTER_LENGTH) {
    return fail({ message: `Must be at most ${MAX_FILTER_LENGTH} characters long.`, position: MAX_FILTER_LENGTH })
  }
  const tokens = tokensOf(text)
  if (!tokens.ok) return tokens

  const parser: Parser = { tokens: tokens.value, places: new Map(), next: 0, fault: undefined }
  const filter = peek(parser).type === 'end' ? EVERYTHING : readAny(parser, 1)
  if (filter && peek(parser).type !== 'end') expected(parser, '&&, || or the end')
  return parser.fault || !filter
    ? fail(parser.fault ?? { message: 'Not a valid filter.', position: 0 })
    : ok({ filter, places: parser.places })
}

/** `||` has lower precedence than `&&`. */
function readAny(parser: Parser, depth: number): Filter | undefined {
  const parts = readJoined(parser, '||', () => readAll(parser, depth))
  return parts && (parts.length === 1 ? parts[0] : { any: parts })
}

function readAll(parser: Parser, depth: number): Filter | undefined {
  const parts = readJoined(parser, '&&', () => readUnit(parser, depth))
  return parts && (parts.length === 1 ? parts[0] : { all: parts })
}

function readJoined(parser: Parser, sign: string, readPart: () => Filter | undefined): Filter[] | undefined {
  const parts: Filter[] = []
  do {
    const part = readPart()
    if (!part) return undefined
    parts.push(part)
  } while (skip(parser, sign))
  return parts
}

function readUnit(parser: Parser, depth: number): Filter | undefined {
  const isGroup = peek(parser).text === '('
  if (isGroup && depth > MAX_FILTER_DEPTH) {
    return stop(parser, `Parentheses are nested deeper than ${MAX_FILTER_DEPTH} levels.`)
  }
  if (!skip(parser, '(')) return readComparison(parser)

  const inside = readAny(parser, depth + 1)
  if (!inside) return undefined
  return skip(parser, ')') ? inside : expected(parser, '&&, || or a closing parenthesis')
}

function readComparison(parser: Parser): Filter | undefined {
  const field = peek(parser)
  if (field.type !== 'word') return expected(parser, 'a field name')
  parser.next += 1

  const opPosition = peek(parser).position
  const op = readOperator(parser)
  if (!op) return undefined

  const valuePosition = peek(parser).position
  const comparison = readValueOf(parser, field.text, op)
  if (comparison) parser.places.set(comparison, { field: field.position, op: opPosition, value: valuePosition })
  return comparison
}

function readOperator(parser: Parser): Operator | undefined {
  const token = peek(parser)
  if (token.type === 'word') return readWordOperator(parser)

  const op = token.type === 'sign' ? OPERATORS.find((known) => known === token.text) : undefined
  if (!op) return expected(parser, COMPARISON)
  parser.next += 1
  return op
}

function readWordOperator(parser: Parser): Operator | undefined {
  if (skip(parser, 'in')) return 'in'
  if (skip(parser, 'between')) return 'between'
  if (!skip(parser, 'is')) return expected(parser, COMPARISON)

  const isNegated = skip(parser, 'not')
  if (!skip(parser, 'empty')) return expected(parser, isNegated ? '“empty”' : '“empty” or “not empty”')
  return isNegated ? 'is not empty' : 'is empty'
}

function readValueOf(parser: Parser, field: string, op: Operator): Comparison | undefined {
  const shape = OPERATOR_RULES[op].takes
  if (shape === 'nothing') return { field, op }

  const value = shape === 'one' ? readOperand(parser) : shape === 'list' ? readList(parser) : readPair(parser)
  return value === undefined ? undefined : { field, op, value }
}

function readOperand(parser: Parser): FilterLiteral | FieldOperand | undefined {
  const token = peek(parser)
  const value = literalOf(token) ?? (token.type === 'word' ? { field: token.text } : undefined)
  if (value === undefined)
    return expected(parser, 'a value (a number, true, false, @today, text in double quotes) or a field name')
  parser.next += 1
  return value
}

function readList(parser: Parser): readonly FilterLiteral[] | undefined {
  if (!skip(parser, '(')) return expected(parser, 'a list in parentheses, such as in ("a", "b")')
  const values: FilterLiteral[] = []
  do {
    const value = readLiteral(parser)
    if (value === undefined) return undefined
    values.push(value)
  } while (skip(parser, ','))
  return skip(parser, ')') ? values : expected(parser, 'a comma or a closing parenthesis')
}

function readPair(parser: Parser): readonly FilterLiteral[] | undefined {
  const low = readLiteral(parser)
  if (low === undefined) return undefined
  if (!skip(parser, 'and')) return expected(parser, '“and” and the second value')
  const high = readLiteral(parser)
  return high === undefined ? undefined : [low, high]
}

function readLiteral(parser: Parser): FilterLiteral | undefined {
  const token = peek(parser)
  const value = literalOf(token)
  if (value === undefined) return expected(parser, 'a value: a number, true, false, @today, or text in double quotes')
  parser.next += 1
  return value
}

function literalOf({ type, text }: Token): FilterLiteral | undefined {
  if (type === 'string') return textOfToken(text)
  if (type === 'marker') return { marker: text }
  if (type === 'number') return finite(Number(text))
  if (type !== 'word') return undefined
  if (/^true$/i.test(text)) return true
  if (/^false$/i.test(text)) return false
  // 26 digits look like an ID, but are a number where a value is expected.
  return /^\d+$/.test(text) ? Number(text) : undefined
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined)

// The last token is always `end`.
export const peek = (parser: TokenReader): Token => parser.tokens[parser.next] ?? { type: 'end', text: '', position: 0 }

/** Skips an operator or keyword, ignoring case. */
export function skip(parser: TokenReader, text: string): boolean {
  const token = peek(parser)
  const isMatch = (token.type === 'sign' || token.type === 'word') && token.text.toLowerCase() === text
  if (isMatch) parser.next += 1
  return isMatch
}

function expected(parser: Parser, what: string): undefined {
  const { type, text } = peek(parser)
  if (type === 'end') return stop(parser, `Unexpected end of input: expected ${what}.`)
  return stop(parser, `Unexpected “${text.slice(0, 40)}”: expected ${what}.${suggestionHere(parser, what)}`)
}

/** Suggests the operator for a word or symbol from another language, which may span two tokens. */
function suggestionHere({ tokens, next }: Parser, what: string): string {
  const [before, here] = [tokens[next - 1], tokens[next]]
  if (here?.type === 'word')
    return what === COMPARISON ? suggestOperator(here.text) : what.includes('&&') ? suggestJoiner(here.text) : ''
  const isPair =
    here?.type === 'sign' && before?.type === 'sign' && before.position + before.text.length === here.position
  return isPair ? suggestOperator(before.text + here.text) : ''
}

function stop(parser: Parser, message: string): undefined {
  parser.fault ??= { message, position: peek(parser).position }
  return undefined
}

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
  { type: 'number', shape: /-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z0-9_.-])/y },
  { type: 'string', shape: STRING_TOKEN },
  { type: 'marker', shape: /@(?:me\.[A-Za-z_][A-Za-z0-9_]*|[A-Za-z]+(?:[+-]\d+[A-Za-z])?)(?![A-Za-z0-9_])/y },
  { type: 'sign', shape: /&&|\|\||!=|!~|<=|>=|\^=|\$=|[=<>~(),]/y },
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
  if (sign === '&' || sign === '|')
    return { message: `Combine conditions with && or ||, not with a single ${sign}.`, position }
  if (sign === '!') return { message: 'There is no “not” operator. Use !=, !~ or “is not empty”.', position }
  if (sign === '@') return { message: 'Expected me, now or today after @, such as @today-7d.', position }
  return { message: `Unexpected “${sign}”.`, position }
}
