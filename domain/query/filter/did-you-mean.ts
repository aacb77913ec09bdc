import { foldText } from '../../shared/text.ts'

/** Suffix for an error message, suggesting the most similar word, if there is one. */
export function didYouMean(written: string, words: readonly string[], quoted = (word: string) => `“${word}”`): string {
  const nearest = nearestWord(written, words)
  return nearest === undefined ? '' : ` Did you mean ${quoted(nearest)}?`
}

const OPERATOR_ALIASES: { readonly [word: string]: string } = {
  contains: '~',
  includes: '~',
  like: '~',
  ilike: '~',
  starts: '^=',
  startswith: '^=',
  begins: '^=',
  ends: '$=',
  endswith: '$=',
  equals: '=',
  equal: '=',
  eq: '=',
  not: '!=',
  ne: '!=',
  less: '<',
  lt: '<',
  before: '<',
  lte: '<=',
  more: '>',
  greater: '>',
  gt: '>',
  after: '>',
  gte: '>=',
  within: 'in',
  in: 'in',
  between: 'between',
  is: 'is empty',
  empty: 'is empty',
  '==': '=',
  '===': '=',
  '<>': '!=',
  '!==': '!=',
  '=<': '<=',
  '=>': '>=',
  '=~': '~',
  '~=': '~',
}

export function suggestJoiner(written: string): string {
  const word = written.toLowerCase()
  if (word === 'and') return ' Did you mean &&?'
  return word === 'or' ? ' Did you mean ||?' : ''
}

export function suggestOperator(written: string): string {
  const word = written.toLowerCase()
  if (Object.hasOwn(OPERATOR_ALIASES, word)) return ` Did you mean ${OPERATOR_ALIASES[word]}?`
  if (!/^[a-z]{3,20}$/.test(word)) return ''
  const near = nearestWord(word, Object.keys(OPERATOR_ALIASES))
  return near === undefined ? '' : ` Did you mean ${OPERATOR_ALIASES[near]}?`
}

/** Maximum edit distance as a fraction of the word's length. */
const MAX_DIFFERENT_SHARE = 1 / 3

/** Returns the most similar word, if it is similar enough. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const from = foldText(typed.slice(0, 80))
  let nearest: string | undefined
  let minEdits = Math.max(1, Math.floor(from.length * MAX_DIFFERENT_SHARE)) + 1
  for (const word of words) {
    const edits = countEdits(from, foldText(word))
    if (edits < minEdits) {
      nearest = word
      minEdits = edits
    }
  }
  return nearest
}

/** Edit distance with insertion, deletion, substitution and transposition. */
function countEdits(from: string, to: string): number {
  let twoAbove: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let line = 1; line <= from.length; line += 1) {
    const current = [line]
    for (let at = 1; at <= to.length; at += 1) {
      const change = (above[at - 1] ?? 0) + Number(from[line - 1] !== to[at - 1])
      const isSwap = line > 1 && at > 1 && from[line - 1] === to[at - 2] && from[line - 2] === to[at - 1]
      const swap = isSwap ? (twoAbove[at - 2] ?? 0) + 1 : change
      current.push(Math.min(change, swap, (above[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1))
    }
    twoAbove = above
    above = current
  }
  return above[to.length] ?? 0
}
