import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { unreadFields } from '#domain/access/unread-fields.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { ChoiceId } from '#domain/shared/ids.ts'
import { judgeMove } from '#domain/workflow/judge-move.ts'
import type { Change } from '#server/changes/change-log.ts'
import type { Writing } from '#server/changes/commit-change.ts'
import { writeValues } from '#server/records/write-values.ts'
import { moverOf, noted } from './move-record.ts'
import { type OnTheWay, moveProblem } from './refuse-move.ts'

type Move = { readonly to: ChoiceId; readonly note?: string | undefined }

/** Refuses to take a record to a state; that it passes its transition's condition was found out before. */
export function refuseMove(judge: Actor, way: OnTheWay, record: CollectionRecord, move: Move): void {
  const { collection, workflow } = way
  const judged = judgeMove(collection, workflow, record, { mover: moverOf(judge), move })
  if (!judged.ok) throw moveProblem(way, judged.fault, unreadFields(judge, collection))
}

/** Takes records to a state to which each of them may be moved. */
export async function moveFound(
  writing: Writing,
  { way, records }: { readonly way: OnTheWay; readonly records: readonly CollectionRecord[] },
  { to, note }: Move,
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
    ...noted(note),
  }))
}

const stateOf = ({ values }: CollectionRecord, field: string): string | null => {
  const state = values[field]
  return typeof state === 'string' ? state : null
}
