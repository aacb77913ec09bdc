import type { RecordBody } from '#api/records.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { Decision } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import type { OptionId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import {
  evaluateTransition,
  statusBefore,
  transitionCondition,
  type TransitionActor,
} from '#domain/workflow/evaluate-transition.ts'
import type { Transition } from '#domain/workflow/workflow.ts'
import { type WriteResult, type Writing, commitChange } from '#server/records/changes/commit-change.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { unreadableFieldsIn } from '#server/records/show/unreadable-fields.ts'
import { showRecord } from '#server/records/show/show-records.ts'
import { getVisible, visibleRecords } from '#server/records/crud/visible-records.ts'
import { writeChangedRecord } from '#server/records/write/write-records.ts'
import { findTransitions, lastChangeId } from './transition-log.ts'
import {
  type CollectionWorkflow,
  transitionProblem,
  noTransition,
  stateNamed,
  workflowOf,
} from './transition-problems.ts'

type Allowed = Extract<Decision, { allowed: true }>
export type RecordRef = { readonly collection: string; readonly record: string }

export const transitionActorOf = (actor: Actor): TransitionActor =>
  actor.type === 'user' ? { roles: actor.roles ?? [] } : 'anyone'

/** A requested transition; without `version` it applies to the current record. */
export type TransitionInput = {
  readonly to: string
  readonly note?: string | undefined
  readonly version?: number | undefined
}

type Stale = { readonly collection: Collection; readonly stale: CollectionRecord }
type TransitionResult = { readonly collection: Collection; readonly record: CollectionRecord }

export async function transitionRecord(
  deps: RecordDeps,
  actor: Actor,
  place: RecordRef,
  wanted: TransitionInput,
): Promise<RecordBody> {
  const outcome = await commitChange<TransitionResult | Stale>(deps, actor, async (writing) => {
    const { collection, decision } = getCollection(writing.definitions, actor, 'records:transition', place.collection)
    const before = await getVisible(writing, collection, decision, place.record)
    if (wanted.version !== undefined && wanted.version !== before.version) {
      return { answer: { collection, stale: before }, changes: [], events: [] }
    }
    return writeTransition(writing, workflowOf(collection), before, wanted)
  })
  return showOutcome(deps, actor, outcome)
}

async function showOutcome(deps: RecordDeps, actor: Actor, outcome: TransitionResult | Stale): Promise<RecordBody> {
  if ('record' in outcome) return showRecord(deps, actor, outcome.collection, outcome.record)
  throw new Problem('version-conflict', 'Someone else edited this record. The status was not changed.', {
    extra: { current: await showRecord(deps, actor, outcome.collection, outcome.stale) },
  })
}

/** Undoes the actor's own last transition; the record must not have been changed since then. */
export async function undoTransition(
  deps: RecordDeps,
  actor: Actor,
  place: RecordRef,
  version: number,
): Promise<RecordBody> {
  const outcome = await commitChange<TransitionResult | Stale>(deps, actor, async (writing) => {
    const { collection, decision } = getCollection(writing.definitions, actor, 'records:transition', place.collection)
    const before = await getVisible(writing, collection, decision, place.record)
    if (version !== before.version) return { answer: { collection, stale: before }, changes: [], events: [] }
    const way = workflowOf(collection)
    const from = await ownStatusBefore(writing, way, before)
    if (from === undefined) throw new Problem('transition-refused', 'This status change can no longer be undone.')
    return writeStatus(writing, collection, before, { status: { [way.state.id]: from } })
  })
  return showOutcome(deps, actor, outcome)
}

/** The status before the record's last change, if that was a recent transition by the actor. */
export async function ownStatusBefore(
  { transaction: { db }, actor, at }: Writing,
  { state }: CollectionWorkflow,
  record: CollectionRecord,
): Promise<OptionId | undefined> {
  const [last, previous] = await findTransitions(db, { record: record.id, field: state.id }, 2)
  // If the record was edited since then, the transition's conditions may no longer hold.
  const isLastChange = last !== undefined && last.id === (await lastChangeId(db, record.id))
  const by = {
    last: isLastChange ? last : undefined,
    previous,
    userId: userIdOf(actor) ?? '',
    now: new Date(at),
  }
  const current = record.values[state.id]
  return typeof current === 'string' ? statusBefore(state, current, by) : undefined
}

export async function writeStatus(
  writing: Writing,
  collection: Collection,
  before: CollectionRecord,
  { status, note }: { readonly status: RecordValues; readonly note?: string | undefined },
): Promise<WriteResult<TransitionResult>> {
  const { record, changes } = await writeChangedRecord(writing, collection, before, status)
  return {
    answer: { collection, record },
    changes: changes.map((change) => ({ ...change, kind: 'record-moved', ...noteOf(note) })),
    events: [{ type: 'records-changed', collection: collection.id, records: [record.id] }],
  }
}

async function writeTransition(
  writing: Writing,
  way: CollectionWorkflow,
  before: CollectionRecord,
  wanted: TransitionInput,
): Promise<WriteResult<TransitionResult>> {
  const to = await checkTransition(writing, way, before, wanted)
  return writeStatus(writing, way.collection, before, { status: { [way.state.id]: to }, note: wanted.note })
}

/** The status that a record may be moved to; throws if the transition isn't allowed. */
export async function checkTransition(
  writing: Writing,
  way: CollectionWorkflow,
  before: CollectionRecord,
  { to, note }: TransitionInput,
): Promise<OptionId> {
  const { collection, workflow } = way
  const unread = (await unreadableFieldsIn(writing, collection, [before]))(before)
  const move = { to: stateNamed(way, to, unread), note }
  const checked = evaluateTransition(collection, workflow, before, {
    actor: transitionActorOf(writing.actor),
    request: move,
  })
  if (!checked.ok) throw transitionProblem(way, checked.fault, unread)
  await assertConditionHolds(writing, way, before, { transition: checked.value, unread })
  return move.to
}

/** A blank comment counts as no comment. */
export const noteOf = (note: string | undefined): { readonly note?: string } =>
  note === undefined || note.trim() === '' ? {} : { note: note.trim() }

async function assertConditionHolds(
  writing: Writing,
  { collection, workflow, state }: CollectionWorkflow,
  { id }: CollectionRecord,
  { transition, unread }: { readonly transition: Transition; readonly unread: HiddenFields },
): Promise<void> {
  const open: Allowed = { allowed: true, where: transitionCondition(workflow, transition), hiddenFields: new Set() }
  if ((await visibleRecords(writing, collection, open, [id])).has(id)) return
  if (unread.has(state.id)) throw noTransition()
  throw new Problem(
    'transition-refused',
    `Status not changed: the transition “${transition.name}” isn’t available for this record.`,
    {
      errors: [{ path: 'to', code: 'condition', message: 'The record doesn’t meet the condition of this transition.' }],
    },
  )
}
