import type { Filter } from '../query/filter.ts'
import type { ChoiceId } from '../shared/ids.ts'
import { type Mover, isForRoles } from './judge-move.ts'
import type { Transition, Workflow } from './workflow.ts'

/** The records that a mover may take somewhere, as a condition: those from where a transition of theirs leads there. */
export const movableWhere = (workflow: Workflow, to: ChoiceId, mover: Mover): Filter => ({
  any: workflow.transitions
    .filter((transition) => transition.to === to && isForRoles(transition, mover))
    .map((transition) => passes(workflow, transition)),
})

/** The records for which one transition is open. */
export function passes({ field }: Workflow, { from, when }: Transition): Filter {
  const isThere: Filter = { field, op: '=', value: from }
  return when === null ? isThere : { all: [isThere, when] }
}
