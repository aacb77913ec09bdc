import type { Filter } from '../query/filter/filter.ts'
import type { FieldId } from '../shared/ids.ts'

export type RuleId = string

/** A condition on the values of every record. It doesn't depend on the user. Filters use IDs. */
export type Rule = {
  readonly id: RuleId
  /** null: all records. */
  readonly when: Filter | null
  readonly then: Filter
  readonly message: string
  /** The field that shows the error; null: none. */
  readonly field: FieldId | null
}

/** Every rule is evaluated for every written record. */
export const MAX_RULES = 50

/** In characters; shown next to a field. */
export const MAX_RULE_MESSAGE = 300

/** All rules are evaluated in one statement. */
export const MAX_RULE_VALUES = 5_000
