import type { Filter } from '#domain/query/filter.ts'
import type { OptionId } from '#domain/shared/ids.ts'
import { type TransitionActor, isForRoles } from './evaluate-transition.ts'
import type { Transition, Workflow } from './workflow.ts'

/** The records that a mover may take somewhere, as a condition: those from where a transition of theirs leads there. */
export const transitionFilter = (workflow: Workflow, to: OptionId, mover: TransitionActor): Filter => ({
  any: workflow.transitions
    .filter((transition) => transition.to === to && isForRoles(transition, mover))
    .map((transition) => passes(workflow, transition)),
})

/** The records for which one transition is open. */
export function passes({ field }: Workflow, { from, when }: Transition): Filter {
  const isThere: Filter = { field, op: '=', value: from }
  return when === null ? isThere : { all: [isThere, when] }
}

/** The states out of which a mover may take records, each with the condition they must pass there; null: none. */
export function transitionableStates(workflow: Workflow, mover: TransitionActor): ReadonlyMap<OptionId, Filter | null> {
  const open = workflow.transitions.filter((transition) => isForRoles(transition, mover))
  return new Map([...Map.groupBy(open, ({ from }) => from)].map(([from, leaving]) => [from, anyOf(leaving)]))
}

function anyOf(leaving: readonly Transition[]): Filter | null {
  const conditions = leaving.map(({ when }) => when)
  const [first = null] = conditions
  const all = conditions.flatMap((when) => when ?? [])
  if (all.length < conditions.length) return null
  return conditions.length === 1 ? first : { any: all }
}
