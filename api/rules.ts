import { z } from 'zod'
import { MAX_RULES } from '#domain/rules/rule.ts'
import { filterInput, filterTree } from './filters.ts'

/** Without an ID it is new. */
const ruleInput = z.strictObject({
  id: z.string().optional(),
  /** null or absent: all records. */
  when: filterInput.nullable().optional(),
  then: filterInput,
  message: z.string().max(1_000),
  field: z.string().nullable().optional(),
})

export const rulesInput = z.array(ruleInput).max(MAX_RULES)

/** Conditions are trees with current names. */
export const ruleBody = z.object({
  id: z.string(),
  when: filterTree.nullable(),
  then: filterTree,
  message: z.string(),
  field: z.string().nullable(),
})

export type RuleBody = z.infer<typeof ruleBody>

/** Records that violate a rule; `unknown` if counting took too long. */
export const brokenBody = z.object({
  rule: z.string(),
  count: z.number().nullable(),
  countIs: z.enum(['exact', 'atLeast', 'unknown']),
})

export type BrokenBody = z.infer<typeof brokenBody>
