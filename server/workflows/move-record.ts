import type { RecordBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Decision } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type Mover, judgeMove } from '#domain/workflow/judge-move.ts'
import { passes } from '#domain/workflow/movable-where.ts'
import type { Transition } from '#domain/workflow/workflow.ts'
import { type Done, type Writing, commitChange } from '#server/changes/commit-change.ts'
import { getCollection } from '#server/collections/find-collection.ts'
import type { RecordNeeds } from '#server/records/record-needs.ts'
import { unreadIn } from '#server/records/unread-in.ts'
import { showRecord } from '#server/records/show-records.ts'
import { getVisible, visibleRecords } from '#server/records/visible-records.ts'
import { writeChangedRecord } from '#server/records/write-records.ts'
import { type OnTheWay, moveProblem, nowhereFromHere, stateNamed, workflowOf } from './refuse-move.ts'

type Allowed = Extract<Decision, { allowed: true }>
/** A record, by the names in its address. */
export type Place = { readonly collection: string; readonly record: string }

/** Who moves, for the workflow's own roles. */
export const moverOf = (actor: Actor): Mover => (actor.type === 'user' ? { roles: actor.roles ?? [] } : 'anybody')

/** A move as it is asked for; without `version` whatever the record is by then is moved. */
export type WantedMove = {
  readonly to: string
  readonly note?: string | undefined
  readonly version?: number | undefined
}

/** A record that changed since the caller read it. */
type Stale = { readonly collection: Collection; readonly stale: CollectionRecord }
type Moved = { readonly collection: Collection; readonly record: CollectionRecord }

/** Story: take a record along a transition. */
export async function moveRecord(
  needs: RecordNeeds,
  actor: Actor,
  place: Place,
  wanted: WantedMove,
): Promise<RecordBody> {
  const outcome = await commitChange<Moved | Stale>(needs, actor, async (writing) => {
    const { collection, decision } = getCollection(writing.definitions, actor, 'records:transition', place.collection)
    const before = await getVisible(writing, collection, decision, place.record)
    if (wanted.version !== undefined && wanted.version !== before.version) {
      return { answer: { collection, stale: before }, changes: [], events: [] }
    }
    return writeMove(writing, workflowOf(collection), before, wanted)
  })
  if ('record' in outcome) return showRecord(needs, actor, outcome.collection, outcome.record)
  throw new Problem('version-conflict', 'Somebody changed this record since you opened it. It was not moved.', {
    extra: { current: await showRecord(needs, actor, outcome.collection, outcome.stale) },
  })
}

/** Moves one record inside a write, and says what goes into the log. */
async function writeMove(
  writing: Writing,
  way: OnTheWay,
  before: CollectionRecord,
  { to, note }: WantedMove,
): Promise<Done<Moved>> {
  const { collection, workflow, state } = way
  const unread = (await unreadIn(writing, collection, [before]))(before)
  const move = { to: stateNamed(way, to, unread), note }
  const judged = judgeMove(collection, workflow, before, { mover: moverOf(writing.actor), move })
  if (!judged.ok) throw moveProblem(way, judged.fault, unread)
  await refuseClosed(writing, way, before, { transition: judged.value, unread })

  const { record, changes } = await writeChangedRecord(writing, collection, before, { [state.id]: move.to })
  return {
    answer: { collection, record },
    changes: changes.map((change) => ({ ...change, kind: 'record-moved', ...noted(note) })),
    events: [{ type: 'records-changed', collection: collection.id, records: [record.id] }],
  }
}

/** A note of nothing but blanks is none. */
export const noted = (note: string | undefined): { readonly note?: string } =>
  note === undefined || note.trim() === '' ? {} : { note: note.trim() }

/** Refuses a transition whose own condition the record does not pass. */
async function refuseClosed(
  writing: Writing,
  { collection, workflow, state }: OnTheWay,
  { id }: CollectionRecord,
  { transition, unread }: { readonly transition: Transition; readonly unread: HiddenFields },
): Promise<void> {
  const open: Allowed = { allowed: true, where: passes(workflow, transition), hiddenFields: new Set() }
  if ((await visibleRecords(writing, collection, open, [id])).has(id)) return
  if (unread.has(state.id)) throw nowhereFromHere()
  throw new Problem('transition-refused', `Nothing was moved: “${transition.name}” is not open for this record.`, {
    errors: [{ path: 'to', code: 'condition', message: 'The record does not meet what this move asks for.' }],
  })
}
