import { type Collection, fieldById } from '../collections/collection.ts'
import type { Filter } from '../query/filter/filter.ts'
import { foldText } from '../shared/text.ts'
import type { FieldId, OptionId, RoleId } from '../shared/ids.ts'
import { type PartProblem, partProblem } from '../shared/problem.ts'
import { type Result, fail, ok } from '../shared/result.ts'
import {
  MAX_TRANSITIONS,
  type NoteRequirement,
  type StateRules,
  type Transition,
  type TransitionId,
  type Workflow,
} from './workflow.ts'
import { readsAttribute } from '#domain/query/check/check-condition.ts'

/** A transition without an ID is created. */
export type WorkflowDraft = {
  readonly transitions: readonly {
    readonly id?: TransitionId | undefined
    readonly name: string
    readonly from: OptionId
    readonly to: OptionId
    readonly roles: readonly RoleId[]
    /** Condition as text or tree, with names or IDs. */
    readonly when: string | Filter | null
    readonly note: NoteRequirement
  }[]
  readonly states: { readonly [state: OptionId]: StateRules }
}

export type WorkflowCheckContext = {
  readonly collection: Collection
  readonly newId: () => string
  readonly knownRoles: ReadonlySet<RoleId>
  /** Existing workflow; unchanged parts may use fields that the sender can't read. */
  readonly known?: Workflow | undefined
  /** Validates a condition; `known` is the existing condition. */
  readonly checkCondition: (condition: string | Filter | null, known: Filter | null) => Result<Filter | null, string>
  /** Whether the sender can read a field in all records; otherwise, requiring it would reveal whether it is empty. */
  readonly canRead: (field: FieldId) => boolean
}

export function checkWorkflow(
  draft: WorkflowDraft,
  context: WorkflowCheckContext,
): Result<Workflow, readonly PartProblem[]> {
  const field = context.collection.fields.find(({ kind }) => kind === 'state')
  if (field?.kind !== 'state') return fail([partProblem('workflow', 'no-state', 'Add a status field first.')])

  const states = new Set(field.options.choices.map(({ id }) => id))
  const checked = draft.transitions.map((transition, at) => checkTransition(transition, at, { states, context }))
  const problems = [
    ...checked.flatMap((each) => (each.ok ? [] : each.fault)),
    ...duplicateTransitions(draft),
    ...Object.entries(draft.states).flatMap(([state, rules]) => stateProblems(state, rules, { states, context })),
  ]
  if (draft.transitions.length > MAX_TRANSITIONS) {
    problems.push(partProblem('transitions', 'too-many', `A workflow can have at most ${MAX_TRANSITIONS} transitions.`))
  }
  if (problems.length > 0) return fail(problems)

  return ok({
    field: field.id,
    transitions: checked.flatMap((each) => (each.ok ? [each.value] : [])),
    states: draft.states,
  })
}

type Known = { readonly states: ReadonlySet<OptionId>; readonly context: WorkflowCheckContext }

function checkTransition(
  { id, name, from, to, roles, when, note }: WorkflowDraft['transitions'][number],
  at: number,
  { states, context }: Known,
): Result<Transition, readonly PartProblem[]> {
  const path = (part: string): string => `transitions.${at}.${part}`
  const problems: PartProblem[] = []
  if (name.trim() === '')
    problems.push(partProblem(path('name'), 'required', 'Enter a name for the transition. It appears on its button.'))
  if (!states.has(from)) problems.push(partProblem(path('from'), 'unknown-state', 'This status no longer exists.'))
  if (!states.has(to)) problems.push(partProblem(path('to'), 'unknown-state', 'This status no longer exists.'))
  if (from === to) problems.push(partProblem(path('to'), 'same-state', 'A transition must lead to another status.'))
  if (!roles.every((role) => context.knownRoles.has(role))) {
    problems.push(partProblem(path('roles'), 'unknown-role', 'One of these roles no longer exists.'))
  }
  const condition = context.checkCondition(when, knownCondition(context, id))
  if (!condition.ok) problems.push(partProblem(path('when'), 'invalid-filter', condition.fault))
  if (problems.length > 0 || !condition.ok) return fail(problems)
  return ok({ id: id ?? context.newId(), name: name.trim(), from, to, roles, when: condition.value, note })
}

const knownCondition = ({ known }: WorkflowCheckContext, id: TransitionId | undefined): Filter | null =>
  known?.transitions.find((one) => one.id === id)?.when ?? null

/** Requires at most one transition between two statuses, with a unique name per source status. */
function duplicateTransitions({ transitions }: WorkflowDraft): PartProblem[] {
  const pairs = new Set<string>()
  const names = new Set<string>()
  return transitions.flatMap(({ from, to, name }, at) => {
    const pair = `${from} ${to}`
    const nameKey = `${from} ${foldText(name.trim())}`
    const problems = [
      ...(pairs.has(pair)
        ? [
            partProblem(
              `transitions.${at}.to`,
              'second-transition',
              'There is already a transition between these two statuses.',
            ),
          ]
        : []),
      ...(names.has(nameKey)
        ? [
            partProblem(
              `transitions.${at}.name`,
              'name-taken',
              'Another transition from this status has the same name.',
            ),
          ]
        : []),
    ]
    pairs.add(pair)
    names.add(nameKey)
    return problems
  })
}

function stateProblems(state: OptionId, rules: StateRules, { states, context }: Known): PartProblem[] {
  if (!states.has(state)) return [partProblem(`states.${state}`, 'unknown-state', 'This status no longer exists.')]
  const unknown = (fields: readonly FieldId[]): boolean => fields.some((id) => !fieldById(context.collection, id))
  const problems: PartProblem[] = []
  const path = `states.${state}.requiredToLeave`
  if (unknown(rules.requiredToLeave)) {
    problems.push(partProblem(path, 'unknown-field', 'One of these fields no longer exists.'))
  }
  const known = context.known?.states[state]?.requiredToLeave ?? []
  if (rules.requiredToLeave.some((id) => !known.includes(id) && !context.canRead(id))) {
    problems.push(
      partProblem(path, 'unread-field', 'One of these fields may contain values you can’t read. Ask an owner.'),
    )
  }
  if (rules.frozen !== 'all' && unknown(rules.frozen)) {
    problems.push(partProblem(`states.${state}.frozen`, 'unknown-field', 'One of these fields no longer exists.'))
  }
  return problems
}

export function withoutRemoved(workflow: Workflow, collection: Collection): Workflow | undefined {
  const field = fieldById(collection, workflow.field)
  if (field?.kind !== 'state') return undefined
  const states = new Set(field.options.choices.map(({ id }) => id))
  const existing = (fields: readonly FieldId[]): FieldId[] => fields.filter((id) => fieldById(collection, id))
  return {
    ...workflow,
    transitions: workflow.transitions.filter(({ from, to }) => states.has(from) && states.has(to)),
    states: Object.fromEntries(
      Object.entries(workflow.states)
        .filter(([state]) => states.has(state))
        .map(([state, { requiredToLeave, frozen }]) => [
          state,
          { requiredToLeave: existing(requiredToLeave), frozen: frozen === 'all' ? frozen : existing(frozen) },
        ]),
    ),
  }
}

/** Whether a transition's condition uses the user attribute `name`. */
export const transitionsUseAttribute = (workflow: Workflow | undefined, name: string): boolean =>
  workflow?.transitions.some(({ when }) => when !== null && readsAttribute(when, name)) === true

/** Skips the workflow for users who may create records with any status. */
export function withoutWorkflow(collection: Collection): Collection {
  const { workflow: _, ...rest } = collection
  return rest
}
