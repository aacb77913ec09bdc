import { z } from 'zod'
import { MAX_RULES } from '#domain/rules/rule.ts'
import { filterInput, filterTree } from './filters.ts'

/** A rule for values as it is asked for; one without an id is new, and a known one that is left out is removed. */
const ruleInput = z.strictObject({
  id: z.string().optional(),
  /** The records it speaks of; null or left out: all. */
  when: filterInput.nullable().optional(),
  /** What must hold in them. */
  then: filterInput,
  /** What people read whose values break it. */
  message: z.string().max(1_000),
  /** The field beside which a form says so. */
  field: z.string().nullable().optional(),
})

/** All rules of a collection. */
export const rulesInput = z.array(ruleInput).max(MAX_RULES)

/** A rule as it is shown: its conditions as trees that name fields and choices as they are called now. */
export const ruleBody = z.object({
  id: z.string(),
  when: filterTree.nullable(),
  then: filterTree,
  message: z.string(),
  field: z.string().nullable(),
})

/** The parsed form. */
export type RuleBody = z.infer<typeof ruleBody>

/** How many of the records there are break a rule; `unknown` when counting them would have taken too long. */
export const brokenBody = z.object({
  rule: z.string(),
  count: z.number().nullable(),
  countIs: z.enum(['exact', 'atLeast', 'unknown']),
})

/** The parsed form. */
export type BrokenBody = z.infer<typeof brokenBody>
