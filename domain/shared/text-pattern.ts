import { unreachable } from '#domain/shared/result.ts'

/** Single-character parts keep their regular-expression source. */
type PatternPart =
  | { readonly type: 'character'; readonly source: string }
  | { readonly type: 'edge'; readonly edge: Edge }
  | { readonly type: 'sequence'; readonly parts: readonly PatternPart[] }
  | { readonly type: 'either'; readonly forms: readonly PatternPart[] }
  | { readonly type: 'repeat'; readonly part: PatternPart; readonly min: number; readonly max: number }
  | { readonly type: 'lookahead'; readonly part: PatternPart; readonly isNegative: boolean }

/** Zero-width assertion between two characters. */
type Edge = '^' | '$' | '\\b' | '\\B'

/** Matches one character: an escape, a bracketed class, or a literal. */
const CHARACTER =
  /\\u\{[^}]*\}|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u.{4}|\\x..|\\c.|\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|./suy
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y
const EDGE = /[$^]|\\[bB]/y
/** Backreferences and lookbehind are rejected because their run time is unbounded. */
const UNSUPPORTED = /\\[1-9k]|\(\?<[=!]/y
const OPENING = /\((?:\?(?::|[=!]|<[^>]*>))?/y
/** Inline flag groups, which aren't supported. */
const FLAGGED = /\(\?[a-z-]/y

/** Parses a valid regular expression; undefined if it uses unsupported syntax such as backreferences or lookbehind. */
function readPattern(pattern: string): PatternPart | undefined {
  let at = 0
  let isSupported = true
  const match = (shape: RegExp): RegExpExecArray | null => {
    shape.lastIndex = at
    const found = shape.exec(pattern)
    if (found) at = shape.lastIndex
    return found
  }
  const readForms = (): PatternPart => {
    const forms = [readSequence()]
    while (isSupported && pattern[at] === '|') {
      at += 1
      forms.push(readSequence())
    }
    return { type: 'either', forms }
  }
  const readSequence = (): PatternPart => {
    const parts: PatternPart[] = []
    while (isSupported && at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')')
      parts.push(readQuantified())
    return { type: 'sequence', parts }
  }
  const readQuantified = (): PatternPart => {
    const part = readPart()
    const times = match(QUANTIFIER)
    return times ? { type: 'repeat', part, ...quantifierRange(times) } : part
  }
  const readPart = (): PatternPart => {
    if (match(UNSUPPORTED) ?? match(FLAGGED)) isSupported = false
    // Safe cast, because `EDGE` matches exactly the four `Edge` values.
    const edge = match(EDGE)?.[0] as Edge | undefined
    if (edge !== undefined) return { type: 'edge', edge }
    const opening = match(OPENING)?.[0]
    if (opening === undefined) return { type: 'character', source: match(CHARACTER)?.[0] ?? '' }
    const part = readForms()
    at += 1
    return opening === '(?=' || opening === '(?!' ? { type: 'lookahead', part, isNegative: opening === '(?!' } : part
  }
  const whole = readForms()
  return isSupported ? whole : undefined
}

function quantifierRange([, sign, minText, comma, maxText]: RegExpExecArray): {
  readonly min: number
  readonly max: number
} {
  if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY }
  const min = Number(minText)
  if (comma === '') return { min, max: min }
  return { min, max: maxText === '' ? Number.POSITIVE_INFINITY : Number(maxText) }
}

/** `next` and `targets` are step numbers. */
type Step =
  | { readonly type: 'read'; readonly accepts: RegExp; readonly next: number }
  | { readonly type: 'branch'; readonly targets: readonly number[] }
  | { readonly type: 'edge'; readonly edge: Edge; readonly next: number }
  | { readonly type: 'lookahead'; readonly start: number; readonly isNegative: boolean; readonly next: number }
  | { readonly type: 'end' }

/** Simulates all states in parallel (Thompson NFA), so matching time is linear in the text length. */
type PatternPlan = { readonly steps: readonly Step[]; readonly start: number }

/** Limits the pattern size, because each step can be active at each character. */
const MAX_STEPS = 2_000

/** Compiles a pattern to steps; undefined if it is unsupported or repeats too much. */
function planPattern(pattern: string): PatternPlan | undefined {
  const tree = readPattern(pattern)
  if (tree === undefined) return undefined
  const steps: Step[] = [{ type: 'end' }]
  const start = planner(steps)(tree, 0)
  return steps.length <= MAX_STEPS ? { steps, start } : undefined
}

/** Compiles a pattern part to steps that lead to `next`; returns the first step. */
function planner(steps: Step[]): (part: PatternPart, next: number) => number {
  const add = (step: Step): number => steps.push(step) - 1

  const plan = (part: PatternPart, next: number): number => {
    // Stops compiling a pattern that is too long.
    if (steps.length > MAX_STEPS) return next
    switch (part.type) {
      case 'character':
        return add({ type: 'read', accepts: new RegExp(`^(?:${part.source})$`, 'u'), next })
      case 'edge':
        return add({ type: 'edge', edge: part.edge, next })
      case 'sequence':
        return part.parts.reduceRight((after, one) => plan(one, after), next)
      case 'either':
        return add({ type: 'branch', targets: part.forms.map((form) => plan(form, next)) })
      case 'lookahead':
        return add({ type: 'lookahead', start: plan(part.part, 0), isNegative: part.isNegative, next })
      case 'repeat':
        return planRepeat(part, next)
    }
  }
  const planRepeat = ({ part, min, max }: Extract<PatternPart, { type: 'repeat' }>, next: number): number => {
    let start = Number.isFinite(max) ? planWithin(part, max - min, next) : planAnyTimes(part, next)
    for (let times = 0; times < min && steps.length <= MAX_STEPS; times += 1)
      start = add({ type: 'branch', targets: [plan(part, start)] })
    return start
  }
  const planWithin = (part: PatternPart, maxText: number, next: number): number => {
    let start = next
    for (let times = 0; times < maxText && steps.length <= MAX_STEPS; times += 1)
      start = add({ type: 'branch', targets: [plan(part, start), next] })
    return start
  }
  const planAnyTimes = (part: PatternPart, next: number): number => {
    const again = add({ type: 'branch', targets: [] })
    steps[again] = { type: 'branch', targets: [plan(part, again), next] }
    return again
  }
  return plan
}

const MAX_CHARACTERS = 2_000

/** Maximum step visits per text (a few ms); a text that needs more doesn't match. */
const MAX_VISITS = 100_000

/** Tests whether an entire text matches, in bounded time. */
export type TextPattern = (text: string) => boolean

/**
 * Compiles a user-defined pattern. JavaScript's backtracking engine could run for years, so it is used only for single
 * characters. Undefined if the pattern is unsupported or repeats too much.
 */
export function textPattern(pattern: string): TextPattern | undefined {
  const plan = planPattern(pattern)
  return plan && ((text) => matchesPlan(plan, text))
}

type MatchState = { readonly steps: readonly Step[]; readonly characters: readonly string[]; visitsLeft: number }

function matchesPlan({ steps, start }: PatternPlan, text: string): boolean {
  if (text.length > MAX_CHARACTERS) return false
  const state = { steps, characters: [...text], visitsLeft: MAX_VISITS }
  return matchesFrom(state, { start, at: 0, isWhole: true }) && state.visitsLeft > 0
}

/** Start step and position, and whether the match must extend to the end of the text. */
type MatchStart = { readonly start: number; readonly at: number; readonly isWhole: boolean }

function matchesFrom(state: MatchState, { start, at: first, isWhole }: MatchStart): boolean {
  const { characters } = state
  let current: readonly number[] = [start]
  for (let at = first; at <= characters.length; at += 1) {
    const { readers, isAtEnd } = reachableReaders(state, current, at)
    if (isAtEnd && (!isWhole || at === characters.length)) return true
    const character = characters[at]
    if (character === undefined || state.visitsLeft <= 0) return false
    current = readers.flatMap(({ accepts, next }) => (accepts.test(character) ? [next] : []))
    if (current.length === 0) return false
  }
  return false
}

type Reader = Extract<Step, { type: 'read' }>

/** All steps reachable without consuming a character (epsilon closure). */
function reachableReaders(state: MatchState, from: readonly number[], at: number) {
  const seen = new Set<number>()
  const pending = [...from]
  const readers: Reader[] = []
  let isAtEnd = false
  for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
    if (seen.has(number)) continue
    seen.add(number)
    state.visitsLeft -= 1
    const step = state.steps[number]
    if (step === undefined || state.visitsLeft <= 0) break
    if (step.type === 'end') isAtEnd = true
    else if (step.type === 'read') readers.push(step)
    else pending.push(...nextSteps(state, step, at))
  }
  return { readers, isAtEnd }
}

/** Successors of a step that consumes no character. */
function nextSteps(state: MatchState, step: Exclude<Step, Reader | { type: 'end' }>, at: number): readonly number[] {
  switch (step.type) {
    case 'branch':
      return step.targets
    case 'edge':
      return isAt(step.edge, state.characters, at) ? [step.next] : []
    case 'lookahead':
      return matchesFrom(state, { start: step.start, at, isWhole: false }) === step.isNegative ? [] : [step.next]
    default:
      return unreachable(step)
  }
}

const isWordCharacter = (character: string | undefined): boolean => character !== undefined && /\w/.test(character)

function isAt(edge: Extract<Step, { type: 'edge' }>['edge'], characters: readonly string[], at: number): boolean {
  switch (edge) {
    case '^':
      return at === 0
    case '$':
      return at === characters.length
    case '\\b':
    case '\\B':
      return (isWordCharacter(characters[at - 1]) !== isWordCharacter(characters[at])) === (edge === '\\b')
    default:
      return unreachable(edge)
  }
}
