import { type Result, fail, ok } from '../../shared/result.ts'
import { suggestJoiner, suggestOperator } from './did-you-mean.ts'
import {
  type Comparison,
  type FieldOperand,
  type Filter,
  type FilterLiteral,
  type FormulaCondition,
  OPERATORS,
  type Operator,
} from './filter.ts'
import { endOfFormula, misusedJoiner } from './find-formula.ts'
import { OPERATOR_RULES } from './operators.ts'
import { MAX_FILTER_DEPTH, MAX_FILTER_LENGTH } from '../query-limits.ts'
import {
  peek,
  singleJoiner,
  skip,
  type SyntaxFault,
  textOfToken,
  type Token,
  type TokenReader,
  tokensOf,
} from './tokens.ts'

export type ComparisonPlace = { readonly field: number; readonly op: number; readonly value: number }

/** Filter tree with the positions of its conditions, used in validation errors. */
export type ParsedFilter = { readonly filter: Filter; readonly places: Places }

export type Places = ReadonlyMap<Comparison | FormulaCondition, ComparisonPlace>

export const EVERYTHING: Filter = { all: [] }

const COMPARISON = 'a comparison such as =, !=, ~ or “is empty”'

type Parser = TokenReader & {
  readonly text: string
  readonly places: Map<Comparison | FormulaCondition, ComparisonPlace>
  fault: SyntaxFault | undefined
}

/** Parses filter text; stops at the first error. */
export function parseFilter(text: string): Result<ParsedFilter, SyntaxFault> {
  if (text.length > MAX_FILTER_LENGTH) {
    return fail({ message: `Must be at most ${MAX_FILTER_LENGTH} characters long.`, position: MAX_FILTER_LENGTH })
  }
  const tokens = tokensOf(text)
  if (!tokens.ok) return tokens

  const parser: Parser = { text, tokens: tokens.value, places: new Map(), next: 0, fault: undefined }
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
  const formulaEnd = endOfFormula(parser.tokens, parser.next)
  if (formulaEnd !== undefined) return readFormula(parser, formulaEnd)
  const isGroup = peek(parser).text === '('
  if (isGroup && depth > MAX_FILTER_DEPTH) {
    return stop(parser, `Parentheses are nested deeper than ${MAX_FILTER_DEPTH} levels.`)
  }
  if (!skip(parser, '(')) return readComparison(parser)

  const inside = readAny(parser, depth + 1)
  if (!inside) return undefined
  return skip(parser, ')') ? inside : expected(parser, '&&, || or a closing parenthesis')
}

/** The text is checked later, because formulas depend on the collection. */
function readFormula(parser: Parser, end: number): FormulaCondition | undefined {
  const { position } = peek(parser)
  const joiner = misusedJoiner(parser.tokens, parser.next, end)
  for (; parser.next < end; parser.next += 1) {
    if (parser.next === joiner) return stop(parser, singleJoiner('&'))
    if (peek(parser).type === 'marker')
      return stop(parser, `${peek(parser).text} can’t be used with functions or arithmetic. Use today() or now().`)
  }
  const last = parser.tokens[end - 1]
  const condition = { formula: parser.text.slice(position, last && last.position + last.text.length) }
  parser.places.set(condition, { field: position, op: position, value: position })
  return condition
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
