import { unreachable } from '../shared/assert-never.ts'
import { type PatternPlan, planPattern, type Step } from './plan-pattern.ts'

/** Longest text a pattern is tried on. */
const MAX_CHARACTERS = 2_000

/** Most steps gone for one text: a few ms. A text that needs more does not have the form. */
const MAX_VISITS = 100_000

/** Whether a whole text has the form of a pattern, found in a bounded time whatever both are. */
export type TextPattern = (text: string) => boolean

/**
 * What a pattern asks for, as a judge of texts. Patterns are regular expressions that owners of fields write; the engine of
 * JavaScript tries some of them for years on a line of text, so it is asked about single characters alone. Undefined: it
 * looks or refers back, or repeats too much, and cannot be judged in a bounded time.
 */
export function textPattern(pattern: string): TextPattern | undefined {
  const plan = planPattern(pattern)
  return plan && ((text) => matchesPlan(plan, text))
}

/** A text under trial: its characters, and how many steps may still be gone. */
type MatchState = { readonly steps: readonly Step[]; readonly characters: readonly string[]; visitsLeft: number }

function matchesPlan({ steps, begin }: PatternPlan, text: string): boolean {
  if (text.length > MAX_CHARACTERS) return false
  const trial = { steps, characters: [...text], visitsLeft: MAX_VISITS }
  return holdsFrom(trial, { begin, at: 0, isWhole: true }) && trial.visitsLeft > 0
}

/** Where the trial of a plan, or of a part that looks ahead, begins, and whether it must come to the end of the text. */
type Beginning = { readonly begin: number; readonly at: number; readonly isWhole: boolean }

function holdsFrom(trial: MatchState, { begin, at: first, isWhole }: Beginning): boolean {
  const { characters } = trial
  let standing: readonly number[] = [begin]
  for (let at = first; at <= characters.length; at += 1) {
    const { readers, isAtEnd } = spread(trial, standing, at)
    if (isAtEnd && (!isWhole || at === characters.length)) return true
    const character = characters[at]
    if (character === undefined || trial.visitsLeft <= 0) return false
    standing = readers.flatMap(({ takes, next }) => (takes.test(character) ? [next] : []))
    if (standing.length === 0) return false
  }
  return false
}

type Reader = Extract<Step, { type: 'read' }>

/** Everything that is reached from some steps without reading. */
function spread(trial: MatchState, from: readonly number[], at: number) {
  const seen = new Set<number>()
  const waiting = [...from]
  const readers: Reader[] = []
  let isAtEnd = false
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (seen.has(number)) continue
    seen.add(number)
    trial.visitsLeft -= 1
    const step = trial.steps[number]
    if (step === undefined || trial.visitsLeft <= 0) break
    if (step.type === 'end') isAtEnd = true
    else if (step.type === 'read') readers.push(step)
    else waiting.push(...nextSteps(trial, step, at))
  }
  return { readers, isAtEnd }
}

/** Where a step that reads nothing leads to at this place. */
function nextSteps(trial: MatchState, step: Exclude<Step, Reader | { type: 'end' }>, at: number): readonly number[] {
  switch (step.type) {
    case 'go':
      return step.ways
    case 'edge':
      return isAt(step.edge, trial.characters, at) ? [step.next] : []
    case 'ahead':
      return holdsFrom(trial, { begin: step.begin, at, isWhole: false }) === step.isRefused ? [] : [step.next]
    default:
      return unreachable(step)
  }
}

const isOfWord = (character: string | undefined): boolean => character !== undefined && /\w/.test(character)

function isAt(edge: Extract<Step, { type: 'edge' }>['edge'], characters: readonly string[], at: number): boolean {
  switch (edge) {
    case '^':
      return at === 0
    case '$':
      return at === characters.length
    case '\\b':
    case '\\B':
      return (isOfWord(characters[at - 1]) !== isOfWord(characters[at])) === (edge === '\\b')
    default:
      return unreachable(edge)
  }
}
