import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { unreadFields } from '#domain/access/unreadable-fields.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { OptionId } from '#domain/shared/ids.ts'
import { evaluateTransition } from '#domain/workflow/evaluate-transition.ts'
import type { Change } from '#server/records/changes/change-log.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { writeValues } from '#server/records/write/write-values.ts'
import { transitionActorOf, noteOf } from './transition-record.ts'
import { type CollectionWorkflow, transitionProblem } from './transition-problems.ts'

type TransitionRequest = { readonly to: OptionId; readonly note?: string | undefined }

/** Refuses to take a record to a state; that it passes its transition's condition was found out before. */
export function assertTransition(
  judge: Actor,
  way: CollectionWorkflow,
  record: CollectionRecord,
  move: TransitionRequest,
): void {
  const { collection, workflow } = way
  const judged = evaluateTransition(collection, workflow, record, { mover: transitionActorOf(judge), move })
  if (!judged.ok) throw transitionProblem(way, judged.fault, unreadFields(judge, collection))
}

/** Takes records to a state to which each of them may be moved. */
export async function transitionRecords(
  writing: Writing,
  { way, records }: { readonly way: CollectionWorkflow; readonly records: readonly CollectionRecord[] },
  { to, note }: TransitionRequest,
): Promise<Change[]> {
  const { collection, state } = way
  const updatedBy = userIdOf(writing.actor)
  const values = { [state.id]: to }
  await writeValues(
    writing,
    collection,
    records.map((record) => ({ record, values, updatedAt: writing.at, updatedBy })),
  )
  return records.map((record) => ({
    kind: 'record-moved',
    collection: collection.id,
    record: record.id,
    before: { [state.id]: stateOf(record, state.id) },
    after: values,
    ...noteOf(note),
  }))
}

const stateOf = ({ values }: CollectionRecord, field: string): string | null => {
  const state = values[field]
  return typeof state === 'string' ? state : null
}
