import type { Filter } from '../query/filter/filter.ts'
import type { FieldId } from '../shared/ids.ts'

export type RuleId = string

/** Condition that every record must meet, regardless of the user. Filters use IDs. */
export type Rule = {
  readonly id: RuleId
  /** null: all records. */
  readonly when: Filter | null
  readonly then: Filter
  readonly message: string
  /** Field at which the error is shown; null: none. */
  readonly field: FieldId | null
}

/** Limited because every rule is evaluated on every write. */
export const MAX_RULES = 50

/** In characters; the message is shown next to a field. */
export const MAX_RULE_MESSAGE = 300

/** Limited because all rules are evaluated in one statement. */
export const MAX_RULE_VALUES = 5_000
