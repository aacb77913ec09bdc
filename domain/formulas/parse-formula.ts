import {
  NAME,
  STRING_TOKEN,
  type SyntaxFault,
  type Token,
  type TokenPattern,
  textOfToken,
  tokensOf,
  peek,
  skip,
  type TokenReader,
} from '#domain/query/filter/tokens.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import { MAX_ARGUMENTS, MAX_FORMULA_DEPTH, MAX_FORMULA_LENGTH } from './formula-limits.ts'

/** Operators from the weakest to the strongest; those of one line are read from left to right. */
const JOINERS = [['||'], ['&&']] as const
const COMPARISONS = ['=', '!=', '<', '<=', '>', '>=', '~', '!~', '^=', '$='] as const
const ARITHMETIC = [['&'], ['+', '-'], ['*', '/']] as const

export type FormulaOperator =
  | (typeof JOINERS)[number][number]
  | (typeof COMPARISONS)[number]
  | (typeof ARITHMETIC)[number][number]
  | 'in'
  | 'between'
  | 'is empty'
  | 'is not empty'
  | 'negative'

/** `position` and `end` are UTF-16 offsets of the part that an error refers to. */
type Place = { readonly position: number; readonly end: number }

export type FormulaNode = Place &
  (
    | { readonly type: 'literal'; readonly value: string | number | boolean }
    | { readonly type: 'field'; readonly name: string }
    | { readonly type: 'call'; readonly name: string; readonly args: readonly FormulaNode[] }
    | { readonly type: 'operator'; readonly op: FormulaOperator; readonly args: readonly FormulaNode[] }
  )

const FORMULA_TOKENS: readonly TokenPattern[] = [
  { type: 'word', shape: new RegExp(`${NAME}(?:\\.${NAME})*`, 'y') },
  { type: 'number', shape: /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z0-9_.])/y },
  { type: 'string', shape: STRING_TOKEN },
  { type: 'sign', shape: /&&|\|\||!=|!~|<=|>=|\^=|\$=|[=<>~(),+\-*/&]/y },
]

/** The formula's tokens, of which the last one is always `end`. */
export const formulaTokens = (text: string): Result<readonly Token[], SyntaxFault> => tokensOf(text, FORMULA_TOKENS)

type Parser = TokenReader & { fault: SyntaxFault | undefined }

/** Parses a formula; stops at the first error. */
export function parseFormula(text: string): Result<FormulaNode, SyntaxFault> {
  if (text.length > MAX_FORMULA_LENGTH)
    return fail({ message: `Must be at most ${MAX_FORMULA_LENGTH} characters long.`, position: MAX_FORMULA_LENGTH })
  const tokens = formulaTokens(text)
  if (!tokens.ok) return tokens
  const parser: Parser = { tokens: tokens.value, next: 0, fault: undefined }
  const node = readJoined(parser, 0, 1)
  if (node && peek(parser).type !== 'end') expected(parser, 'an operator or the end')
  return parser.fault || !node ? fail(parser.fault ?? { message: 'Not a valid formula.', position: 0 }) : ok(node)
}

type Read = FormulaNode | undefined

function readJoined(parser: Parser, level: number, depth: number): Read {
  const signs: readonly FormulaOperator[] | undefined = JOINERS[level]
  if (!signs) return readComparison(parser, depth)
  return readChain(parser, signs, () => readJoined(parser, level + 1, depth))
}

function readArithmetic(parser: Parser, level: number, depth: number): Read {
  const signs: readonly FormulaOperator[] | undefined = ARITHMETIC[level]
  if (!signs) return readSigned(parser, depth)
  return readChain(parser, signs, () => readArithmetic(parser, level + 1, depth))
}

function readChain(parser: Parser, signs: readonly FormulaOperator[], readPart: () => Read): Read {
  let left = readPart()
  while (left) {
    const token = peek(parser)
    const op = token.type === 'sign' ? signs.find((sign) => sign === token.text) : undefined
    if (op === undefined) return left
    parser.next += 1
    const right = readPart()
    if (!right) return undefined
    left = { type: 'operator', op, args: [left, right], ...placeOf(token) }
  }
  return undefined
}

function readComparison(parser: Parser, depth: number): Read {
  const left = readArithmetic(parser, 0, depth)
  const token = peek(parser)
  if (!left || (token.type !== 'sign' && token.type !== 'word')) return left
  if (token.type === 'word') return readWordComparison(parser, left, depth)
  const op = COMPARISONS.find((sign) => sign === token.text)
  if (op === undefined) return left
  parser.next += 1
  const right = readArithmetic(parser, 0, depth)
  return right && { type: 'operator', op, args: [left, right], ...placeOf(token) }
}

function readWordComparison(parser: Parser, left: FormulaNode, depth: number): Read {
  const place = placeOf(peek(parser))
  if (skip(parser, 'is')) {
    const isNegated = skip(parser, 'not')
    if (!skip(parser, 'empty')) return expected(parser, isNegated ? '“empty”' : '“empty” or “not empty”')
    return { type: 'operator', op: isNegated ? 'is not empty' : 'is empty', args: [left], ...place }
  }
  if (skip(parser, 'in')) {
    const list = skip(parser, '(') ? readArguments(parser, depth + 1) : expected(parser, 'a list in parentheses')
    return list && { type: 'operator', op: 'in', args: [left, ...list], ...place }
  }
  if (!skip(parser, 'between')) return left
  const low = readArithmetic(parser, 0, depth)
  if (!low) return undefined
  if (!skip(parser, 'and')) return expected(parser, '“and” and the second value')
  const high = readArithmetic(parser, 0, depth)
  return high && { type: 'operator', op: 'between', args: [left, low, high], ...place }
}

function readSigned(parser: Parser, depth: number): Read {
  const token = peek(parser)
  if (depth > MAX_FORMULA_DEPTH) return stop(parser, `Nested deeper than ${MAX_FORMULA_DEPTH} levels.`)
  if (!skip(parser, '-')) return readUnit(parser, depth)
  const value = readSigned(parser, depth + 1)
  return value && { type: 'operator', op: 'negative', args: [value], ...placeOf(token) }
}

function readUnit(parser: Parser, depth: number): Read {
  const token = peek(parser)
  if (skip(parser, '(')) {
    const inside = readJoined(parser, 0, depth + 1)
    if (!inside) return undefined
    return skip(parser, ')') ? inside : expected(parser, 'an operator or a closing parenthesis')
  }
  const value = literalOf(token)
  if (value === undefined && token.type !== 'word') return expected(parser, 'a value, a field or a function')
  parser.next += 1
  if (value !== undefined) return { type: 'literal', value, ...placeOf(token) }
  if (!skip(parser, '(')) return { type: 'field', name: token.text, ...placeOf(token) }
  const args = readArguments(parser, depth + 1)
  return args && { type: 'call', name: token.text, args, ...placeOf(token) }
}

/** After the opening parenthesis. */
function readArguments(parser: Parser, depth: number): FormulaNode[] | undefined {
  const args: FormulaNode[] = []
  if (skip(parser, ')')) return args
  do {
    if (args.length >= MAX_ARGUMENTS) return stop(parser, `A function can have at most ${MAX_ARGUMENTS} arguments.`)
    const arg = readJoined(parser, 0, depth)
    if (!arg) return undefined
    args.push(arg)
  } while (skip(parser, ','))
  return skip(parser, ')') ? args : expected(parser, 'a comma or a closing parenthesis')
}

function literalOf({ type, text }: Token): string | number | boolean | undefined {
  if (type === 'string') return textOfToken(text)
  if (type === 'number') return Number(text)
  if (type !== 'word' || !/^(?:true|false)$/i.test(text)) return undefined
  return text.toLowerCase() === 'true'
}

const placeOf = ({ position, text }: Token): Place => ({ position, end: position + text.length })

function expected(parser: Parser, what: string): undefined {
  const { type, text } = peek(parser)
  if (type === 'end') return stop(parser, `Unexpected end of input: expected ${what}.`)
  return stop(parser, `Unexpected “${text.slice(0, 40)}”: expected ${what}.`)
}

function stop(parser: Parser, message: string): undefined {
  parser.fault ??= { message, position: peek(parser).position }
  return undefined
}
