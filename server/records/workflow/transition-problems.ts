import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { findOption, optionName } from '#domain/fields/select.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { OptionId } from '#domain/shared/ids.ts'
import { type PartProblem, Problem } from '#domain/shared/problem.ts'
import { withoutWorkflow } from '#domain/workflow/check-workflow.ts'
import type { TransitionFault } from '#domain/workflow/evaluate-transition.ts'
import type { Workflow } from '#domain/workflow/workflow.ts'

export type CollectionWorkflow = {
  readonly collection: Collection
  readonly workflow: Workflow
  readonly state: Field<'state'>
}

export function workflowOf(collection: Collection): CollectionWorkflow {
  const { workflow } = collection
  const state = collection.fields.find(({ id }) => id === workflow?.field)
  if (workflow === undefined || state?.kind !== 'state') {
    throw new Problem(
      'transition-refused',
      `${collection.label} has no workflow. Edit the status like any other field.`,
    )
  }
  return { collection, workflow, state }
}

/** The status with this name or ID. An actor who can't read the status doesn't learn any names. */
export function stateNamed(
  { state, collection }: CollectionWorkflow,
  nameOrId: string,
  unread: HiddenFields,
): OptionId {
  const found = findOption(state, nameOrId)
  if (found) return found.id
  if (unread.has(state.id)) throw noTransition()
  throw transitionNotAllowed(`There is no status “${nameOrId}” in ${collection.label}.`, [
    { path: 'to', code: 'unknown-state', message: `There is no status “${nameOrId}”.` },
  ])
}

/** Why a transition is not allowed; fields that the actor cannot see are not named. */
export function transitionProblem(
  { state }: CollectionWorkflow,
  fault: TransitionFault,
  hidden: HiddenFields,
): Problem {
  const nameOf = (id: OptionId): string => optionName(state, id) ?? 'another status'
  // For an actor who cannot read the status, no error reveals it: neither by code nor by name.
  if (hidden.has(state.id) && fault.code !== 'fields-missing')
    return fault.code === 'note-missing'
      ? noteMissing('Status not changed: this transition requires a comment.')
      : noTransition()
  switch (fault.code) {
    case 'already-there':
      return transitionNotAllowed('Status not changed: the record already has this status.', [
        { path: 'to', code: fault.code, message: 'The record already has this status.' },
      ])
    case 'no-transition':
      return transitionNotAllowed(
        `Status not changed: there is no transition from ${nameOf(fault.from)} to ${nameOf(fault.to)}.`,
        [
          {
            path: 'to',
            code: fault.code,
            message: `There is no transition from ${nameOf(fault.from)} to this status.`,
          },
        ],
      )
    case 'not-your-role':
      return new Problem('forbidden', `“${fault.transition.name}” isn’t available to your roles. Ask an owner.`)
    case 'note-missing':
      return noteMissing(`Status not changed: “${fault.transition.name}” requires a comment.`)
    case 'fields-missing':
      return transitionNotAllowed(missingSentence(fault.fields, hidden), missingParts(fault.fields, hidden))
  }
}

const noteMissing = (sentence: string): Problem =>
  transitionNotAllowed(sentence, [{ path: 'note', code: 'note-missing', message: 'Enter a comment.' }])

export const noTransition = (): Problem =>
  transitionNotAllowed('Status not changed: this record has no transition to that status.', [
    { path: 'to', code: 'no-transition', message: 'There is no transition to this status.' },
  ])

function missingSentence(fields: readonly Field[], hidden: HiddenFields): string {
  const labels = fields.filter(({ id }) => !hidden.has(id)).map(({ label }) => label)
  if (labels.length < fields.length) return 'Status not changed: other fields are required first. Ask an owner.'
  return `Status not changed: fill in ${labels.join(', ')} first.`
}

const missingParts = (fields: readonly Field[], hidden: HiddenFields): PartProblem[] =>
  fields.map(({ id, name, label }) =>
    hidden.has(id)
      ? { path: '', code: 'required', message: 'A field you can’t see is required.' }
      : { path: name, code: 'required', message: `${label} is required.` },
  )

const transitionNotAllowed = (sentence: string, errors: readonly PartProblem[]): Problem =>
  new Problem('transition-refused', sentence, { errors })

/** Managers of a collection can create records in any status. */
export const withoutStartRestriction = (actor: Actor, collection: Collection): Collection =>
  decide(actor, 'collections:manage', collection).allowed ? withoutWorkflow(collection) : collection
