/** A pattern as a tree. What reads one character keeps its own source; nothing else of it is left to a regular expression. */
export type PatternPart =
  | { readonly type: 'one'; readonly source: string }
  | { readonly type: 'edge'; readonly edge: Edge }
  | { readonly type: 'row'; readonly parts: readonly PatternPart[] }
  | { readonly type: 'either'; readonly forms: readonly PatternPart[] }
  | { readonly type: 'repeat'; readonly part: PatternPart; readonly min: number; readonly max: number }
  | { readonly type: 'ahead'; readonly part: PatternPart; readonly isRefused: boolean }

/** A place between two characters. */
export type Edge = '^' | '$' | '\\b' | '\\B'

/** What reads one character: an escape, a class in brackets, or the character itself. */
const ONE =
  /\\u\{[^}]*\}|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u.{4}|\\x..|\\c.|\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|./suy
const TIMES = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y
const EDGE = /[$^]|\\[bB]/y
/** What refers to what was read before, or looks back: it can take any time, so no program is made of it. */
const BACKWARDS = /\\[1-9k]|\(\?<[=!]/y
/** A group; one that is named is a group like any other. */
const OPENING = /\((?:\?(?::|[=!]|<[^>]*>))?/y
/** Groups that switch flags; read by none of ours. */
const FLAGGED = /\(\?[a-z-]/y

/** Reads a pattern that is a regular expression; undefined where a part of it looks or refers back. */
export function readPattern(pattern: string): PatternPart | undefined {
  let at = 0
  let isRead = true
  const take = (shape: RegExp): RegExpExecArray | null => {
    shape.lastIndex = at
    const found = shape.exec(pattern)
    if (found) at = shape.lastIndex
    return found
  }
  const readForms = (): PatternPart => {
    const forms = [readSequence()]
    while (isRead && pattern[at] === '|') {
      at += 1
      forms.push(readSequence())
    }
    return { type: 'either', forms }
  }
  const readSequence = (): PatternPart => {
    const parts: PatternPart[] = []
    while (isRead && at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') parts.push(readTimes())
    return { type: 'row', parts }
  }
  const readTimes = (): PatternPart => {
    const part = readPart()
    const times = take(TIMES)
    return times ? { type: 'repeat', part, ...timesOf(times) } : part
  }
  const readPart = (): PatternPart => {
    if (take(BACKWARDS) ?? take(FLAGGED)) isRead = false
    // One of the four that the shape has.
    const edge = take(EDGE)?.[0] as Edge | undefined
    if (edge !== undefined) return { type: 'edge', edge }
    const opening = take(OPENING)?.[0]
    if (opening === undefined) return { type: 'one', source: take(ONE)?.[0] ?? '' }
    const part = readForms()
    at += 1
    return opening === '(?=' || opening === '(?!' ? { type: 'ahead', part, isRefused: opening === '(?!' } : part
  }
  const whole = readForms()
  return isRead ? whole : undefined
}

function timesOf([, sign, least, comma, most]: RegExpExecArray): { readonly min: number; readonly max: number } {
  if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY }
  const min = Number(least)
  if (comma === '') return { min, max: min }
  return { min, max: most === '' ? Number.POSITIVE_INFINITY : Number(most) }
}
