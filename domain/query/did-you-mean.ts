import { nearestWord } from '../shared/nearest-word.ts'

/** Ends a sentence about a word that means nothing here with the one that was perhaps meant, if one is near enough. */
export function didYouMean(written: string, words: readonly string[], quoted = (word: string) => `“${word}”`): string {
  const nearest = nearestWord(written, words)
  return nearest === undefined ? '' : ` Did you mean ${quoted(nearest)}?`
}

/** How other languages and people say what our signs say. */
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

/** The likely intended joiner, as the end of a sentence. */
export function suggestJoiner(written: string): string {
  const word = written.toLowerCase()
  if (word === 'and') return ' Did you mean &&?'
  return word === 'or' ? ' Did you mean ||?' : ''
}

/** The likely intended operator, as the end of a sentence. */
export function suggestOperator(written: string): string {
  const word = written.toLowerCase()
  if (Object.hasOwn(OPERATOR_ALIASES, word)) return ` Did you mean ${OPERATOR_ALIASES[word]}?`
  if (!/^[a-z]{3,20}$/.test(word)) return ''
  const near = nearestWord(word, Object.keys(OPERATOR_ALIASES))
  return near === undefined ? '' : ` Did you mean ${OPERATOR_ALIASES[near]}?`
}
