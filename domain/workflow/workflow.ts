import type { Field } from '../fields/field.ts'
import type { Filter } from '../query/filter/filter.ts'
import type { OptionId, FieldId, RoleId } from '../shared/ids.ts'

/** Whether a transition takes a comment. */
export const NOTES = ['none', 'optional', 'required'] as const

/** Whether a transition takes a comment. */
export type NoteRequirement = (typeof NOTES)[number]

/** The permanent id of a transition. */
export type TransitionId = string

/** One named move from a state to another. There is at most one between two states. */
export type Transition = {
  readonly id: TransitionId
  readonly name: string
  readonly from: OptionId
  readonly to: OptionId
  /** Who may take it, of those who may move records at all; empty: all of them. */
  readonly roles: readonly RoleId[]
  /** The records it is open for; null: all. Judged before the move. */
  readonly when: Filter | null
  readonly note: NoteRequirement
}

/** What a state asks of the records that are in it. */
export type StateRules = {
  /** Fields that must be filled in before a record leaves. */
  readonly requiredToLeave: readonly FieldId[]
  /** Fields that are locked while a record has this status. */
  readonly frozen: readonly FieldId[] | 'all'
}

/** The way of the records of a collection: its states are the choices of its one state field. */
export type Workflow = {
  readonly field: FieldId
  readonly transitions: readonly Transition[]
  /** By state; a state without an entry asks nothing. */
  readonly states: { readonly [state: OptionId]: StateRules }
}

/** Most transitions of one workflow. */
export const MAX_TRANSITIONS = 200

const NO_RULES: StateRules = { requiredToLeave: [], frozen: [] }

/** What a state asks; nothing where nothing was said. */
export const rulesOf = (workflow: Workflow, state: OptionId): StateRules => workflow.states[state] ?? NO_RULES

/** The fields that are frozen in a state: never the state itself, which only moves change. */
export function frozenFields(workflow: Workflow, state: OptionId, fields: readonly Field[]): readonly Field[] {
  const { frozen } = rulesOf(workflow, state)
  const others = fields.filter(({ id }) => id !== workflow.field)
  return frozen === 'all' ? others : others.filter(({ id }) => frozen.includes(id))
}

/** The transition between two states, if there is one. */
export const transitionBetween = ({ transitions }: Workflow, from: OptionId, to: OptionId): Transition | undefined =>
  transitions.find((transition) => transition.from === from && transition.to === to)
