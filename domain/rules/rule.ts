import type { Filter } from '../query/filter/filter.ts'
import type { FieldId } from '../shared/ids.ts'

/** Names one rule of a collection. */
export type RuleId = string

/**
 * What must hold in every record of a collection, in the owner's words. It judges values, not people: it means the same
 * whoever writes. Filters name fields and choices by id.
 */
export type Rule = {
  readonly id: RuleId
  /** The records it speaks of; null: all. */
  readonly when: Filter | null
  /** What must hold in them. */
  readonly then: Filter
  /** What people read whose values break it. */
  readonly message: string
  /** The field beside which a form says so; null: beside none. */
  readonly field: FieldId | null
}

/** Most rules of one collection: every one is asked of every record that is written. */
export const MAX_RULES = 50

/** Longest message of a rule, in characters: it stands beside a field. */
export const MAX_RULE_MESSAGE = 300

/** Most values that the conditions of all rules of a collection name together: they are asked in one statement. */
export const MAX_RULE_VALUES = 5_000
