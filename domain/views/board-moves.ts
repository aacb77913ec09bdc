import type { Field } from '../fields/field.ts'
import type { Transition } from '../workflow/workflow.ts'

/** Value of a column: the ID of an option, user or record, or true or false; null for empty values. */
export type BoardValue = string | boolean | null

/** A transition that the server offers for the card, with the names of fields to fill in first. */
export type OfferedTransition = Pick<Transition, 'id' | 'name' | 'to' | 'note'> & {
  readonly missing: readonly string[]
}

export type BoardRules = {
  readonly field: Field
  /** The transitions of the workflow that sets the field; undefined if the field is edited like others. */
  readonly transitions: readonly Pick<Transition, 'name' | 'from' | 'to'>[] | undefined
}

export type BoardCard = {
  readonly value: BoardValue
  /** Whether the user can edit the field in this record. */
  readonly isWritable: boolean
  /** Transitions available to the user for this record; undefined if they aren't loaded yet. */
  readonly offered: readonly OfferedTransition[] | undefined
}

export type BoardMove =
  | { readonly is: 'stay' }
  | { readonly is: 'change' }
  | { readonly is: 'transition'; readonly transition: OfferedTransition }
  /** The available transitions decide. */
  | { readonly is: 'unknown' }
  | {
      readonly is: 'refused'
      /** `unavailable`: a role, permission or condition prevents the transition with this name. */
      readonly because: 'read-only' | 'required' | 'no-transition' | 'unavailable'
      readonly transition?: string
    }

/** Whether a card can be moved to a column, how, and if not, why. The server checks the change again. */
export function boardMove({ field, transitions }: BoardRules, card: BoardCard, to: BoardValue): BoardMove {
  if (card.value === to) return { is: 'stay' }
  if (transitions === undefined) return changeTo(field, card, to)
  const possible = transitions.find((transition) => transition.from === card.value && transition.to === to)
  if (!possible) return { is: 'refused', because: 'no-transition' }
  if (card.offered === undefined) return { is: 'unknown' }
  const transition = card.offered.find((offered) => offered.to === to)
  return transition
    ? { is: 'transition', transition }
    : { is: 'refused', because: 'unavailable', transition: possible.name }
}

function changeTo(field: Field, card: BoardCard, to: BoardValue): BoardMove {
  if (!card.isWritable) return { is: 'refused', because: 'read-only' }
  const isEmptied = to === null && (field.required || field.kind === 'state')
  return isEmptied ? { is: 'refused', because: 'required' } : { is: 'change' }
}
