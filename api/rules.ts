import { z } from 'zod'
import { MAX_RULES } from '#domain/rules/rule.ts'
import { filterInput, filterTree } from './filters.ts'

/** An entry without an ID is new. */
const ruleInput = z.strictObject({
  id: z.string().optional(),
  /** If null or absent, the rule applies to all records. */
  when: filterInput.nullable().optional(),
  then: filterInput,
  message: z.string().max(1_000),
  field: z.string().nullable().optional(),
})

export const rulesInput = z.array(ruleInput).max(MAX_RULES)

/** Conditions are trees that use current field names. */
export const ruleBody = z.object({
  id: z.string(),
  when: filterTree.nullable(),
  then: filterTree,
  message: z.string(),
  field: z.string().nullable(),
})

export type RuleBody = z.infer<typeof ruleBody>

/** Number of records that violate a rule; `unknown` if counting timed out. */
export const brokenBody = z.object({
  rule: z.string(),
  count: z.number().nullable(),
  countIs: z.enum(['exact', 'atLeast', 'unknown']),
})

export type BrokenBody = z.infer<typeof brokenBody>
