import type { Actor } from '#domain/access/actor.ts'
import { unreadFields } from '#domain/access/unread-fields.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { ChoiceId } from '#domain/shared/ids.ts'
import { judgeMove } from '#domain/workflow/judge-move.ts'
import type { Change } from '#server/changes/change-log.ts'
import type { Writing } from '#server/changes/commit-change.ts'
import { writeChangedRecord } from '#server/records/write-records.ts'
import { moverOf, noted } from './move-record.ts'
import { type OnTheWay, moveProblem } from './refuse-move.ts'

/** Takes records to a state, all or none; that each of them passes its transition's condition was found out before. */
export async function moveFound(
  writing: Writing,
  judges: readonly Actor[],
  { way, records }: { readonly way: OnTheWay; readonly records: readonly CollectionRecord[] },
  move: { readonly to: ChoiceId; readonly note?: string | undefined },
): Promise<Change[]> {
  const { collection, workflow, state } = way
  const changes: Change[] = []
  for (const record of records) {
    for (const judge of judges) {
      const judged = judgeMove(collection, workflow, record, { mover: moverOf(judge), move })
      if (!judged.ok) throw moveProblem(way, judged.fault, unreadFields(judge, collection))
    }
    const moved = await writeChangedRecord(writing, collection, record, { [state.id]: move.to })
    changes.push(...moved.changes.map((change) => ({ ...change, kind: 'record-moved' as const, ...noted(move.note) })))
  }
  return changes
}
