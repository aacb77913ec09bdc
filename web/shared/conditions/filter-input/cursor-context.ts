import { type Token, tokensOf } from '#domain/query/filter/tokens.ts'
import { OPERATORS, type Operator } from '#domain/query/filter/filter.ts'
import { OPERATOR_RULES } from '#domain/query/filter/operators.ts'

export type CurrentToken = {
  readonly from: number
  readonly to: number
  /** The part of the current word before the caret. */
  readonly text: string
  readonly whole: string
}

export type Expected =
  | { readonly is: 'field' }
  | { readonly is: 'operator'; readonly field: string }
  /** After `is`, expecting `empty` or `not empty`. */
  | { readonly is: 'emptiness'; readonly isNegated: boolean }
  /** After `in`, expecting an opening parenthesis. */
  | ({ readonly is: 'list' } & Compared)
  | ({ readonly is: 'value'; readonly at: ValueContext } & Compared)
  | ({ readonly is: 'nextInList' } & Compared)
  /** Between the two values of `between`, expecting `and`. */
  | ({ readonly is: 'and' } & Compared)
  | { readonly is: 'joiner'; readonly depth: number }

type Compared = { readonly field: string; readonly op: Operator }

export type ValueContext = 'alone' | 'inList' | 'low' | 'high'

/** Undefined if the text before the caret is invalid. */
export type CursorContext = { readonly typed: CurrentToken; readonly expected: Expected }

export function cursorContextIn(text: string, caret: number): CursorContext | undefined {
  const { before, typed } = tokensAt(text, caret)
  const expected = expectedAfter(before)
  return expected && { typed, expected }
}

type Tokens = { readonly before: readonly Token[]; readonly typed: CurrentToken }

/** A partly typed marker: `@`, `@today`, `@today-`, `@today-3`. */
const PARTIAL_MARKER = /@(?:me\.\w*|[A-Za-z]*(?:[+-]\d*[A-Za-z]?)?)$/

/** A path ending in a dot: `author.` */
const PARTIAL_PATH = /(?:\w+\.)+$/

function tokensAt(text: string, caret: number): Tokens {
  const until = text.slice(0, caret)
  const begun = PARTIAL_MARKER.exec(until) ?? PARTIAL_PATH.exec(until)
  const beforeIt = begun && tokensOf(until.slice(0, begun.index))
  if (begun && beforeIt?.ok) return { before: withoutEnd(beforeIt.value), typed: tokenAt(text, begun.index, caret) }

  const { tokens, rest } = readable(until)
  if (rest !== undefined) return { before: tokens, typed: tokenAt(text, rest, caret) }
  const last = tokens.at(-1)
  const isGoingOn = last && isWordy(last) && last.position + last.text.length === caret
  return isGoingOn
    ? { before: tokens.slice(0, -1), typed: tokenAt(text, last.position, caret) }
    : { before: tokens, typed: { from: caret, to: caret, text: '', whole: '' } }
}

const isWordy = ({ type }: Token): boolean => type === 'word' || type === 'number' || type === 'marker'

/** Tokens up to the first position that can't be tokenized. */
function readable(text: string): { readonly tokens: readonly Token[]; readonly rest: number | undefined } {
  let rest: number | undefined
  for (;;) {
    const read = tokensOf(rest === undefined ? text : text.slice(0, rest))
    if (read.ok) return { tokens: withoutEnd(read.value), rest }
    // Cutting at an invalid escape leaves an open quote, which the next iteration cuts off.
    rest = read.fault.position
  }
}

const withoutEnd = (tokens: readonly Token[]): readonly Token[] => tokens.filter(({ type }) => type !== 'end')

function tokenAt(text: string, from: number, caret: number): CurrentToken {
  const whole = tokensOf(text)
  const around = whole.ok ? whole.value.find(({ position }) => position === from) : undefined
  const end = around
    ? around.position + around.text.length
    : caret + (/^[\w.]*/.exec(text.slice(caret))?.[0].length ?? 0)
  const to = Math.max(caret, end)
  return { from, to, text: text.slice(from, caret), whole: text.slice(from, to) }
}

function expectedAfter(tokens: readonly Token[]): Expected | undefined {
  let depth = 0
  let expected: Expected | undefined = { is: 'field' }
  for (const token of tokens) {
    if (expected === undefined) return undefined
    if (expected.is === 'field' && token.text === '(') depth += 1
    else if (expected.is === 'joiner' && token.text === ')') depth -= 1
    else expected = next(expected, token)
  }
  return expected?.is === 'joiner' ? { is: 'joiner', depth } : expected
}

const JOINER: Expected = { is: 'joiner', depth: 0 }

function next(expected: Expected, token: Token): Expected | undefined {
  const { type, text } = token
  const word = text.toLowerCase()
  switch (expected.is) {
    case 'field':
      return type === 'word' ? { is: 'operator', field: text } : undefined
    case 'operator':
      return word === 'is' ? { is: 'emptiness', isNegated: false } : afterOperator(expected.field, word)
    case 'emptiness':
      return afterIs(expected.isNegated, word)
    case 'value':
      return isLiteral(token) || isField(token, expected.at) ? afterValue(expected) : undefined
    case 'list':
    case 'nextInList':
      return inList(expected, text)
    case 'and':
      return word === 'and' ? { ...expected, is: 'value', at: 'high' } : undefined
    case 'joiner':
      return text === '&&' || text === '||' ? { is: 'field' } : undefined
  }
}

function afterIs(isNegated: boolean, word: string): Expected | undefined {
  if (word === 'empty') return JOINER
  return word === 'not' && !isNegated ? { is: 'emptiness', isNegated: true } : undefined
}

function inList(
  { is, field, op }: Extract<Expected, { is: 'list' | 'nextInList' }>,
  sign: string,
): Expected | undefined {
  if (sign === (is === 'list' ? '(' : ',')) return { is: 'value', at: 'inList', field, op }
  return is === 'nextInList' && sign === ')' ? JOINER : undefined
}

const LITERALS: readonly Token['type'][] = ['string', 'marker', 'number']

const isLiteral = ({ type, text }: Token): boolean => LITERALS.includes(type) || /^(?:true|false)$/i.test(text)

/** An unquoted word may also be the name of another field. */
const isField = ({ type }: Token, at: ValueContext): boolean => type === 'word' && at === 'alone'

function afterOperator(field: string, word: string): Expected | undefined {
  const op = OPERATORS.find((known) => known === word)
  if (op === undefined) return undefined
  const { takes } = OPERATOR_RULES[op]
  return takes === 'list'
    ? { is: 'list', field, op }
    : { is: 'value', field, op, at: takes === 'pair' ? 'low' : 'alone' }
}

function afterValue({ field, op, at }: Extract<Expected, { is: 'value' }>): Expected {
  if (at === 'inList') return { is: 'nextInList', field, op }
  return at === 'low' ? { is: 'and', field, op } : JOINER
}
