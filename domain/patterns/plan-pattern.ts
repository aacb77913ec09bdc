import { type Edge, type PatternPart, readPattern } from './read-pattern.ts'

/** One step of a plan; `next` and `ways` are the numbers of steps. */
export type Step =
  | { readonly type: 'read'; readonly takes: RegExp; readonly next: number }
  | { readonly type: 'go'; readonly ways: readonly number[] }
  | { readonly type: 'edge'; readonly edge: Edge; readonly next: number }
  | { readonly type: 'ahead'; readonly begin: number; readonly isRefused: boolean; readonly next: number }
  | { readonly type: 'end' }

/** A pattern as steps that are all gone at once, character by character, so that no text makes it try anything twice. */
export type PatternPlan = { readonly steps: readonly Step[]; readonly begin: number }

/** Most steps of a plan: each may be gone at each character of a text. */
const MAX_STEPS = 2_000

/** Plans a pattern that is a regular expression. Undefined: it looks or refers back, or it repeats too much. */
export function planPattern(pattern: string): PatternPlan | undefined {
  const tree = readPattern(pattern)
  if (tree === undefined) return undefined
  const steps: Step[] = [{ type: 'end' }]
  const begin = planner(steps)(tree, 0)
  return steps.length <= MAX_STEPS ? { steps, begin } : undefined
}

/** Puts the steps of a part before the step that comes next, and gives the number of the first. */
function planner(steps: Step[]): (part: PatternPart, next: number) => number {
  const add = (step: Step): number => steps.push(step) - 1

  const plan = (part: PatternPart, next: number): number => {
    // What is already too long is not planned to its end.
    if (steps.length > MAX_STEPS) return next
    switch (part.type) {
      case 'one':
        return add({ type: 'read', takes: new RegExp(`^(?:${part.source})$`, 'u'), next })
      case 'edge':
        return add({ type: 'edge', edge: part.edge, next })
      case 'row':
        return part.parts.reduceRight((after, one) => plan(one, after), next)
      case 'either':
        return add({ type: 'go', ways: part.forms.map((form) => plan(form, next)) })
      case 'ahead':
        return add({ type: 'ahead', begin: plan(part.part, 0), isRefused: part.isRefused, next })
      case 'repeat':
        return planRepeat(part, next)
    }
  }
  const planRepeat = ({ part, min, max }: Extract<PatternPart, { type: 'repeat' }>, next: number): number => {
    let begin = Number.isFinite(max) ? planAtMost(part, max - min, next) : planAnyTimes(part, next)
    for (let times = 0; times < min && steps.length <= MAX_STEPS; times += 1)
      begin = add({ type: 'go', ways: [plan(part, begin)] })
    return begin
  }
  const planAtMost = (part: PatternPart, most: number, next: number): number => {
    let begin = next
    for (let times = 0; times < most && steps.length <= MAX_STEPS; times += 1)
      begin = add({ type: 'go', ways: [plan(part, begin), next] })
    return begin
  }
  const planAnyTimes = (part: PatternPart, next: number): number => {
    const again = add({ type: 'go', ways: [] })
    steps[again] = { type: 'go', ways: [plan(part, again), next] }
    return again
  }
  return plan
}
