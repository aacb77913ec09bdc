import type { Field } from '../fields/field.ts'
import type { Filter } from '../query/filter/filter.ts'
import type { OptionId, FieldId, RoleId } from '../shared/ids.ts'

export const NOTES = ['none', 'optional', 'required'] as const

export type NoteRequirement = (typeof NOTES)[number]

export type TransitionId = string

/** Named status change; at most one per pair of statuses. */
export type Transition = {
  readonly id: TransitionId
  readonly name: string
  readonly from: OptionId
  readonly to: OptionId
  /** Roles that can use the transition; empty: everyone with the permission. */
  readonly roles: readonly RoleId[]
  /** Condition evaluated before the change; null: all records. */
  readonly when: Filter | null
  readonly note: NoteRequirement
}

export type StateRules = {
  /** Fields that must be filled in before the record can leave the status. */
  readonly requiredToLeave: readonly FieldId[]
  readonly frozen: readonly FieldId[] | 'all'
}

/** Statuses are the options of the collection's status field. */
export type Workflow = {
  readonly field: FieldId
  readonly transitions: readonly Transition[]
  /** Required fields by status; statuses without an entry require nothing. */
  readonly states: { readonly [state: OptionId]: StateRules }
}

export const MAX_TRANSITIONS = 200

const NO_RULES: StateRules = { requiredToLeave: [], frozen: [] }

export const rulesOf = (workflow: Workflow, state: OptionId): StateRules => workflow.states[state] ?? NO_RULES

/** Never includes the status field itself. */
export function frozenFields(workflow: Workflow, state: OptionId, fields: readonly Field[]): readonly Field[] {
  const { frozen } = rulesOf(workflow, state)
  const others = fields.filter(({ id }) => id !== workflow.field)
  return frozen === 'all' ? others : others.filter(({ id }) => frozen.includes(id))
}

export const transitionBetween = ({ transitions }: Workflow, from: OptionId, to: OptionId): Transition | undefined =>
  transitions.find((transition) => transition.from === from && transition.to === to)
