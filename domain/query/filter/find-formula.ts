import type { Token } from './tokens.ts'

const ARITHMETIC: readonly string[] = ['+', '-', '*', '/', '&']
const COMPARISONS: readonly string[] = ['=', '!=', '<', '<=', '>', '>=', '~', '!~', '^=', '$=']
const WORD_COMPARISONS: readonly string[] = ['is', 'in', 'between']

/**
 * The index after the last token of the condition that starts here, if the condition contains a function or arithmetic
 * and is therefore a formula; otherwise undefined.
 */
export function endOfFormula(tokens: readonly Token[], start: number): number | undefined {
  if (tokens[start]?.text === '(' && !isOperandGroup(tokens, start)) return undefined
  const end = endOfCondition(tokens, start)
  for (let at = start; at < end; at += 1) if (isCall(tokens, at) || isArithmetic(tokens, at)) return end
  return undefined
}

/** A condition ends at `&&`, `||`, or the end of its group. */
function endOfCondition(tokens: readonly Token[], start: number): number {
  let depth = 0
  for (let at = start; at < tokens.length; at += 1) {
    const { type, text } = tokens[at] ?? END
    const isBetween = type === 'sign' && depth === 0
    if (type === 'end' || (isBetween && (text === '&&' || text === '||' || text === ')'))) return at
    if (type === 'sign') depth += depthOf(text)
  }
  return tokens.length
}

const END: Token = { type: 'end', text: '', position: 0 }

const depthOf = (sign: string): number => (sign === '(' ? 1 : sign === ')' ? -1 : 0)

/** Whether parentheses are part of an operand, as in `(price + tax) * 2 > 10`, and don't group conditions. */
function isOperandGroup(tokens: readonly Token[], start: number): boolean {
  let depth = 0
  let at = start
  do {
    const { type, text } = tokens[at] ?? END
    if (type === 'end') return false
    if (type === 'sign') depth += depthOf(text)
    at += 1
  } while (depth > 0)
  const { type, text } = tokens[at] ?? END
  if (type === 'sign') return COMPARISONS.includes(text) || ARITHMETIC.includes(text)
  return type === 'word' ? WORD_COMPARISONS.includes(text.toLowerCase()) : type === 'number' && text.startsWith('-')
}

/** The index of a `&` between two comparisons, which was meant to be `&&`; otherwise undefined. */
export function misusedJoiner(tokens: readonly Token[], start: number, end: number): number | undefined {
  let depth = 0
  let joiner: number | undefined
  let isCompared = false
  for (let at = start; at < end; at += 1) {
    const { text } = tokens[at] ?? END
    depth += depthOf(text)
    if (depth > 0) continue
    if (COMPARISONS.includes(text) || WORD_COMPARISONS.includes(text.toLowerCase())) {
      if (joiner !== undefined) return joiner
      isCompared = true
    } else if (text === '&' && isCompared) joiner ??= at
  }
  return undefined
}

const isCall = (tokens: readonly Token[], at: number): boolean => {
  const { type, text } = tokens[at] ?? END
  const isName = type === 'word' && text.toLowerCase() !== 'in' && !endsOperand(tokens[at - 1])
  return isName && tokens[at + 1]?.text === '('
}

/** `price -5` is a subtraction, `price > -5` isn't. */
function isArithmetic(tokens: readonly Token[], at: number): boolean {
  const { type, text } = tokens[at] ?? END
  if (type === 'sign') return ARITHMETIC.includes(text)
  return type === 'number' && text.startsWith('-') && endsOperand(tokens[at - 1])
}

function endsOperand(token: Token | undefined): boolean {
  if (token === undefined || token.type === 'end') return false
  if (token.type === 'sign') return token.text === ')'
  return token.type !== 'word' || ![...WORD_COMPARISONS, 'and'].includes(token.text.toLowerCase())
}
