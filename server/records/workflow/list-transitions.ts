import type { TransitionBody } from '#api/workflows.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import { optionName } from '#domain/fields/select.ts'
import { missingToLeave, transitionsFrom } from '#domain/workflow/evaluate-transition.ts'
import { passes } from '#domain/workflow/transition-filters.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { idsInside } from '#server/access/record-access/authorized-query.ts'
import { findVisibleRecord } from './find-visible-record.ts'
import { type RecordRef, transitionActorOf } from './transition-record.ts'
import { workflowOf } from './transition-problems.ts'

/** Story: where an actor may take a record from where it is, with what must be filled in first. */
export async function listTransitions(needs: RecordDeps, actor: Actor, place: RecordRef): Promise<TransitionBody[]> {
  const { collection, record, hidden, asker, scope } = await findVisibleRecord(needs, actor, place)
  const moving = decide(actor, 'records:transition', collection)
  if (collection.workflow === undefined || !moving.allowed) return []
  const { workflow, state } = workflowOf(collection)
  // Where it can go would tell where it is.
  if (hidden.has(state.id)) return []
  const missing = missingToLeave(collection, workflow, record.values)
  const moves: TransitionBody[] = []
  for (const transition of transitionsFrom(workflow, record.values, transitionActorOf(actor))) {
    const open = passes(workflow, transition)
    const where = moving.where === undefined ? open : { all: [moving.where, open] }
    const inside = await idsInside(scope, asker, { collection, decision: { ...moving, where } }, [record.id])
    if (!inside.has(record.id)) continue
    moves.push({
      id: transition.id,
      name: transition.name,
      to: optionName(state, transition.to) ?? transition.to,
      note: transition.note,
      missing: missing.flatMap(({ id, name }) => (hidden.has(id) ? [] : name)),
    })
  }
  return moves
}
