import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { isEmptyValue } from '#domain/fields/kinds.ts'
import type { RecordValues } from '#domain/records/record.ts'
import type { FieldId, OptionId, RoleId, UserId } from '#domain/shared/ids.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import { type Transition, type Workflow, frozenFields, rulesOf, transitionBetween } from './workflow.ts'
import type { Filter } from '#domain/query/filter/filter.ts'

export type TransitionRequest = { readonly to: OptionId; readonly note?: string | undefined }

/** `anyone` is used for the system, which follows the workflow regardless of roles. */
export type TransitionActor = { readonly roles: readonly RoleId[] } | 'anyone'

export type TransitionFault =
  | { readonly code: 'already-there' }
  | { readonly code: 'no-transition'; readonly from: OptionId; readonly to: OptionId }
  | { readonly code: 'not-your-role'; readonly transition: Transition }
  | { readonly code: 'note-missing'; readonly transition: Transition }
  | { readonly code: 'fields-missing'; readonly transition: Transition; readonly fields: readonly Field[] }

/** The caller must check the collection permission and the transition's condition. */
export function evaluateTransition(
  collection: Collection,
  workflow: Workflow,
  record: { readonly values: RecordValues },
  { actor, request }: { readonly actor: TransitionActor; readonly request: TransitionRequest },
): Result<Transition, TransitionFault> {
  const from = stateOf(workflow, record.values)
  if (from === request.to) return fail({ code: 'already-there' })
  const transition = transitionBetween(workflow, from, request.to)
  if (!transition) return fail({ code: 'no-transition', from, to: request.to })
  if (!isAllowedFor(transition, actor)) return fail({ code: 'not-your-role', transition })
  const fields = missingToLeave(collection, workflow, record.values)
  if (fields.length > 0) return fail({ code: 'fields-missing', transition, fields })
  const hasNote = request.note !== undefined && request.note.trim() !== ''
  return transition.note === 'required' && !hasNote ? fail({ code: 'note-missing', transition }) : ok(transition)
}

/** To list the missing requirements of one transition, use `evaluateTransition`. */
export const transitionsFrom = (
  workflow: Workflow,
  values: RecordValues,
  actor: TransitionActor,
): readonly Transition[] =>
  workflow.transitions.filter(
    (transition) => transition.from === stateOf(workflow, values) && isAllowedFor(transition, actor),
  )

/** The status is never empty. */
function stateOf({ field }: Workflow, values: RecordValues): OptionId {
  const state = values[field]
  return typeof state === 'string' ? state : ''
}

/** Empty required fields that prevent the record from leaving its status. */
export function missingToLeave(collection: Collection, workflow: Workflow, values: RecordValues): readonly Field[] {
  const { requiredToLeave } = rulesOf(workflow, stateOf(workflow, values))
  return collection.fields.filter(({ id }) => requiredToLeave.includes(id) && isEmptyValue(values[id] ?? null))
}

const isAllowedFor = ({ roles }: Transition, actor: TransitionActor): boolean =>
  actor === 'anyone' || roles.length === 0 || roles.some((role) => actor.roles.includes(role))

/** Condition for records that an actor can move to a status. */
export const transitionFilter = (workflow: Workflow, to: OptionId, actor: TransitionActor): Filter => ({
  any: workflow.transitions
    .filter((transition) => transition.to === to && isAllowedFor(transition, actor))
    .map((transition) => transitionCondition(workflow, transition)),
})

/** Condition for records in which a transition is available. */
export function transitionCondition({ field }: Workflow, { from, when }: Pick<Transition, 'from' | 'when'>): Filter {
  const isInState: Filter = { field, op: '=', value: from }
  return when === null ? isInState : { all: [isInState, when] }
}

type SourceStates = ReadonlyMap<OptionId, Filter | null>

/**
 * Source statuses of available transitions, each with its condition (null: none). `forRoles`: transitions restricted to
 * one of the user's roles; `forNamed`: transitions open to everyone, shown as pending to the users in the record's user
 * fields.
 */
export function waitingStates(
  { transitions }: Workflow,
  own: readonly RoleId[],
): { readonly forRoles: SourceStates; readonly forNamed: SourceStates } {
  return {
    forRoles: sourceStates(transitions.filter(({ roles }) => roles.some((role) => own.includes(role)))),
    forNamed: sourceStates(transitions.filter(({ roles }) => roles.length === 0)),
  }
}

const sourceStates = (transitions: readonly Transition[]): SourceStates =>
  new Map([...Map.groupBy(transitions, ({ from }) => from)].map(([from, some]) => [from, anyCondition(some)]))

function anyCondition(transitions: readonly Transition[]): Filter | null {
  const conditions = transitions.map(({ when }) => when)
  const [first = null] = conditions
  const all = conditions.flatMap((when) => when ?? [])
  if (all.length < conditions.length) return null
  return conditions.length === 1 ? first : { any: all }
}

export function frozenAmong(
  collection: Collection,
  values: RecordValues,
  changed: readonly FieldId[],
): readonly Field[] {
  const { workflow, fields } = collection
  const state = workflow && values[workflow.field]
  if (workflow === undefined || typeof state !== 'string') return []
  return frozenFields(workflow, state, fields).filter(({ id }) => changed.includes(id))
}

/** Logged status change; null: the system or a deleted status. */
export type LoggedTransition = {
  readonly at: string
  readonly userId: UserId | null
  readonly from: OptionId | null
  readonly to: OptionId | null
}

/** Long enough to notice a mistake, but too short for others to act on the new status. */
export const UNDO_TRANSITION_MS = 10 * 60_000

type UndoRequest = {
  readonly last: LoggedTransition | undefined
  /** The second-to-last status change. */
  readonly previous: LoggedTransition | undefined
  readonly userId: UserId
  readonly now: Date
}

/**
 * Status restored by undoing the last status change; undefined if the change was made by another user, is too old, or
 * is itself an undo, because undoing an undo would repeat a transition without checking it.
 */
export function statusBefore(
  { options }: Field<'state'>,
  current: OptionId,
  { last, previous, userId, now }: UndoRequest,
): OptionId | undefined {
  if (last?.userId !== userId || last.to !== current || isUndoOf(last, previous)) return undefined
  const isRecent = now.getTime() - Date.parse(last.at) <= UNDO_TRANSITION_MS
  return isRecent ? options.choices.find(({ id }) => id === last.from)?.id : undefined
}

/** A transition directly back also counts as an undo, because the two can't be distinguished. */
const isUndoOf = (last: LoggedTransition, previous: LoggedTransition | undefined): boolean =>
  previous?.userId === last.userId &&
  previous.from === last.to &&
  previous.to === last.from &&
  Date.parse(last.at) - Date.parse(previous.at) <= UNDO_TRANSITION_MS
