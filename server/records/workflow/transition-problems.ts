import type { Collection } from '#domain/collections/collection.ts'
import { findOption, optionName } from '#domain/fields/select.ts'
import type { Field } from '#domain/fields/field.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { OptionId } from '#domain/shared/ids.ts'
import { type PartProblem, Problem } from '#domain/shared/problem.ts'
import type { TransitionFault } from '#domain/workflow/evaluate-transition.ts'
import type { Workflow } from '#domain/workflow/workflow.ts'

/** A collection whose records take a way, with that way and the field of its states. */
export type CollectionWorkflow = {
  readonly collection: Collection
  readonly workflow: Workflow
  readonly state: Field<'state'>
}

/** The workflow of a collection; the problem when it has none. */
export function workflowOf(collection: Collection): CollectionWorkflow {
  const { workflow } = collection
  const state = collection.fields.find(({ id }) => id === workflow?.field)
  if (workflow === undefined || state?.kind !== 'state') {
    throw new Problem('transition-refused', `${collection.label} has no workflow. Its state is a value like any other.`)
  }
  return { collection, workflow, state }
}

/** The state of that name or id. Whoever does not read the state is not told which names there are. */
export function stateNamed(
  { state, collection }: CollectionWorkflow,
  nameOrId: string,
  unread: HiddenFields,
): OptionId {
  const found = findOption(state, nameOrId)
  if (found) return found.id
  if (unread.has(state.id)) throw noTransition()
  throw transitionNotAllowed(`There is no state “${nameOrId}” in ${collection.label}.`, [
    { path: 'to', code: 'unknown-state', message: `There is no state “${nameOrId}”.` },
  ])
}

/** Why a record may not be moved, in words; fields out of the mover's sight are not named. */
export function transitionProblem(
  { state }: CollectionWorkflow,
  fault: TransitionFault,
  hidden: HiddenFields,
): Problem {
  const nameOf = (id: OptionId): string => optionName(state, id) ?? 'another state'
  // Whoever does not read the state is not told by a refusal where the record is: neither by a code nor by a name.
  if (hidden.has(state.id) && fault.code !== 'fields-missing')
    return fault.code === 'note-missing'
      ? noteMissing('Nothing was moved: this move needs a note that says why.')
      : noTransition()
  switch (fault.code) {
    case 'already-there':
      return transitionNotAllowed('Nothing was moved: the record is in this state already.', [
        { path: 'to', code: fault.code, message: 'The record is there already.' },
      ])
    case 'no-transition':
      return transitionNotAllowed(
        `Nothing was moved: no move leads from ${nameOf(fault.from)} to ${nameOf(fault.to)}.`,
        [{ path: 'to', code: fault.code, message: `No move leads there from ${nameOf(fault.from)}.` }],
      )
    case 'not-your-role':
      return new Problem('forbidden', `“${fault.transition.name}” is for other roles than yours. Ask an owner.`)
    case 'note-missing':
      return noteMissing(`Nothing was moved: “${fault.transition.name}” needs a note that says why.`)
    case 'fields-missing':
      return transitionNotAllowed(missingSentence(fault.fields, hidden), missingParts(fault.fields, hidden))
  }
}

const noteMissing = (sentence: string): Problem =>
  transitionNotAllowed(sentence, [{ path: 'note', code: 'note-missing', message: 'Say why.' }])

/** Tells whoever does not read the state no more than that this cannot be done. */
export const noTransition = (): Problem =>
  transitionNotAllowed('Nothing was moved: no move of this record leads there.', [
    { path: 'to', code: 'no-transition', message: 'No move leads there.' },
  ])

function missingSentence(fields: readonly Field[], hidden: HiddenFields): string {
  const labels = fields.filter(({ id }) => !hidden.has(id)).map(({ label }) => label)
  if (labels.length < fields.length) return 'Nothing was moved: more must be filled in first. Ask an owner.'
  return `Nothing was moved: fill in ${labels.join(', ')} first.`
}

const missingParts = (fields: readonly Field[], hidden: HiddenFields): PartProblem[] =>
  fields.map(({ id, name, label }) =>
    hidden.has(id)
      ? { path: '', code: 'required', message: 'Something you cannot see must be filled in.' }
      : { path: name, code: 'required', message: `${label} must be filled in.` },
  )

const transitionNotAllowed = (sentence: string, errors: readonly PartProblem[]): Problem =>
  new Problem('transition-refused', sentence, { errors })
