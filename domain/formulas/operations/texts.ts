import { foldText } from '#domain/shared/text.ts'
import { compareText } from '#domain/shared/compare-values.ts'
import { MAX_FORMULA_TEXT } from '../formula-limits.ts'

/** A longer text is empty. Lengths and positions are counted in code points, as in PostgreSQL. */
export const formulaText = (text: string): string =>
  text.length <= MAX_FORMULA_TEXT || lengthOf(text) <= MAX_FORMULA_TEXT ? text : ''

export function lengthOf(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length; at += 1) if (isLow(text.charCodeAt(at))) length -= 1
  return length
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** Index in UTF-16 units of a position in code points. */
function indexOf(text: string, position: number): number {
  let at = 0
  for (let left = position; left > 0 && at < text.length; left -= 1) at += isLow(text.charCodeAt(at + 1)) ? 2 : 1
  return at
}

/** A count or position as a whole number from 0; rounded toward zero. */
const countOf = (value: number): number => Math.trunc(Math.max(0, Math.min(MAX_FORMULA_TEXT + 1, value)))

export const left = (text: string, count: number): string => text.slice(0, indexOf(text, countOf(count)))

export const right = (text: string, count: number): string =>
  text.slice(indexOf(text, Math.max(0, lengthOf(text) - countOf(count))))

/** `start` is 1 for the first character; a smaller start is the first character. */
export function mid(text: string, start: number, count: number): string {
  const from = indexOf(text, Math.max(0, countOf(start) - 1))
  return left(text.slice(from), count)
}

/** Position of a text, from 1; 0 if it doesn't occur. The comparison is exact. */
export function find(part: string, text: string, start: number): number {
  const from = indexOf(text, Math.max(0, countOf(start) - 1))
  const at = part === '' ? -1 : text.indexOf(part, from)
  return at === -1 ? 0 : lengthOf(text.slice(0, at)) + 1
}

export const search = (part: string, text: string, start: number): number | null => find(part, text, start) || null

export function substitute(text: string, old: string, replacement: string): string {
  if (old === '') return text
  const parts = text.split(old)
  const length = lengthOf(text) + (parts.length - 1) * (lengthOf(replacement) - lengthOf(old))
  return length > MAX_FORMULA_TEXT ? '' : parts.join(replacement)
}

/** Replaces one occurrence, counted from 1. */
export function substituteOne(text: string, old: string, replacement: string, occurrence: number): string {
  const wanted = countOf(occurrence)
  if (old === '' || wanted === 0) return text
  let at = text.indexOf(old)
  for (let count = 1; count < wanted && at !== -1; count += 1) at = text.indexOf(old, at + old.length)
  return at === -1 ? text : formulaText(text.slice(0, at) + replacement + text.slice(at + old.length))
}

export function replace(text: string, start: number, count: number, replacement: string): string {
  const from = indexOf(text, Math.max(0, countOf(start) - 1))
  const rest = text.slice(from)
  return formulaText(text.slice(0, from) + replacement + rest.slice(indexOf(rest, countOf(count))))
}

export function repeat(text: string, count: number): string {
  const times = countOf(count)
  return lengthOf(text) * times > MAX_FORMULA_TEXT ? '' : text.repeat(times)
}

export const reverse = (text: string): string => [...text].reverse().join('')

/** `part` is counted from 1; an absent part is empty. */
export function splitPart(text: string, separator: string, part: number): string {
  const wanted = countOf(part)
  if (separator === '') return wanted === 1 ? text : ''
  return text.split(separator)[wanted - 1] ?? ''
}

export const padStart = (text: string, length: number, fill: string): string => padding(text, length, fill) + text

export const padEnd = (text: string, length: number, fill: string): string => text + padding(text, length, fill)

function padding(text: string, length: number, fill: string): string {
  const missing = Math.min(MAX_FORMULA_TEXT, countOf(length)) - lengthOf(text)
  if (missing <= 0 || fill === '') return ''
  return left(fill.repeat(Math.ceil(missing / lengthOf(fill))), missing)
}

/** The characters that `trim` removes at both ends. */
export const WHITESPACE =
  '\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

/** Converts one character at a time, so `ß` is unchanged and every database returns the same text. */
export const upper = (text: string): string => changeCase(text, UPPER)

export const lower = (text: string): string => changeCase(text, LOWER)

type CaseMap = (character: string) => string

const UPPER: CaseMap = (character) => character.toUpperCase()
const LOWER: CaseMap = (character) => character.toLowerCase()

const BEYOND_ASCII = /[\u0080-\uffff]/

const changeCase = (text: string, change: CaseMap): string =>
  BEYOND_ASCII.test(text) ? Array.from(text, (character) => oneCharacter(character, change)).join('') : change(text)

function oneCharacter(character: string, change: CaseMap): string {
  const changed = change(character)
  return lengthOf(changed) === 1 ? changed : character
}

/** Each character whose other case is one character, for databases whose own rules differ. */
export function casePairs(to: 'upper' | 'lower'): { readonly from: string; readonly to: string } {
  const change = to === 'upper' ? UPPER : LOWER
  const characters = Array.from({ length: 0x1f000 - 0x80 }, (_, at) => at + 0x80)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => oneCharacter(character, change) !== character)
  return { from: characters.join(''), to: characters.map((character) => oneCharacter(character, change)).join('') }
}

/** Folded text for `~`, sorting and searching. A final sigma is a sigma, which no database has to know. */
export const foldFormulaText = (text: string): string => foldText(text).replaceAll('ς', 'σ')

/** In sort order: by folded text, then by exact text. */
export const compareTexts = (one: string, other: string): number =>
  compareText(foldFormulaText(one), foldFormulaText(other)) || compareText(one, other)

const UNESCAPED = /[A-Za-z0-9\-_.~]/

/** These are the ones that `encodeURIComponent` doesn't encode. */
const MORE_ESCAPED = /[!*'()]/

export function encodeUrl(text: string): string {
  const encodeOne = (character: string): string => {
    if (UNESCAPED.test(character)) return character
    if (MORE_ESCAPED.test(character)) return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
    return encodeURIComponent(character)
  }
  return formulaText(Array.from(text, encodeOne).join(''))
}
