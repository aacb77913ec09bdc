import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { unreadableFields } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { isEmptyValue } from '#domain/fields/kinds.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import type { OptionId, RecordId } from '#domain/shared/ids.ts'
import { takesFiles } from '#domain/fields/files.ts'
import type { Change } from '#server/records/changes/change-log.ts'
import type { WriteResult, Writing } from '#server/records/changes/commit-change.ts'
import { updateFiles } from '#server/records/values/attach-files.ts'
import { changedValues } from '#server/records/values/changed-values.ts'
import { type LockedRecord, lockRecords } from '#server/records/crud/read-record.ts'
import { assertValid } from '#server/records/values/value-errors.ts'
import { assertAllInScope } from '#server/records/crud/visible-records.ts'
import { writeRemovedRecords } from '#server/records/write/write-records.ts'
import { writeValues } from '#server/records/write/write-values.ts'
import { assertNotFrozen } from '#server/records/workflow/assert-not-frozen.ts'
import { type CollectionWorkflow, transitionProblem, workflowOf } from '#server/records/workflow/transition-problems.ts'
import { recheckMatches, type TaskScope, taskScopeOf } from './find-records.ts'
import { assertNotEmptied, assertReferences, changedValuesFor, type TaskValues, taskValues } from './given-values.ts'
import { validateEach } from './skipped-records.ts'
import type { Task } from './task.ts'
import { type ChangedValues, valueChanges } from './update-in-batch.ts'
import { evaluateTransition } from '#domain/workflow/evaluate-transition.ts'
import { noteOf, transitionActorOf } from '#server/records/workflow/transition-record.ts'

type TransitionRequest = { readonly to: OptionId; readonly note?: string | undefined }

/** Throws if the transition isn't allowed; its condition was checked before. */
function assertTransition(
  checker: Actor,
  way: CollectionWorkflow,
  record: CollectionRecord,
  move: TransitionRequest,
): void {
  const { collection, workflow } = way
  const checked = evaluateTransition(collection, workflow, record, { actor: transitionActorOf(checker), request: move })
  if (!checked.ok) throw transitionProblem(way, checked.fault, unreadableFields(checker, collection))
}

async function transitionRecords(
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

export type AppliedTask = { readonly count: number; readonly before: readonly ChangedValues[] }

/** Applies a task to the given records that still match it; every actor in `checkers` must have permission. */
export async function applyTask(
  writing: Writing,
  checkers: readonly Actor[],
  task: Task,
  ids: readonly RecordId[],
): Promise<WriteResult<AppliedTask>> {
  let left: readonly RecordId[] = ids
  for (const checker of checkers) left = await recheckMatches(writing, checker, task, left)
  const contexts = checkers.map((checker) => ({ checker, ...taskScopeOf(writing.definitions, checker, task) }))
  const [first] = contexts
  if (!first || left.length === 0) return { answer: { count: 0, before: [] }, changes: [], events: [] }

  const { collection } = first
  const records = await lockRecords(writing, collection, left)
  const { changes, before } = await applyToRecords(writing, checkers, { contexts, collection, records }, task)
  if (task.does === 'update') {
    for (const { checker, change } of contexts)
      await assertAllInScope({ ...writing, actor: checker }, collection, change, left)
  }
  return {
    answer: { count: records.length, before },
    changes,
    events: [{ type: 'records-changed', collection: collection.id, records: left }],
  }
}

type LockedRecords = {
  readonly contexts: readonly TaskScope[]
  readonly collection: Collection
  readonly records: readonly LockedRecord[]
}

type Outcome = { readonly changes: readonly Change[]; readonly before: readonly ChangedValues[] }

async function applyToRecords(
  writing: Writing,
  checkers: readonly Actor[],
  { contexts, collection, records }: LockedRecords,
  task: Task,
): Promise<Outcome> {
  if (task.move) {
    const way = workflowOf(collection)
    const { move } = task
    await validateEach(records, (record) => checkers.forEach((checker) => assertTransition(checker, way, record, move)))
    return { changes: await transitionRecords(writing, { way, records }, move), before: [] }
  }
  if (task.does === 'delete') return { changes: await writeRemovedRecords(writing, collection, records), before: [] }
  const given = taskValues(contexts, task)
  const unread = new Set(checkers.flatMap((checker) => [...unreadableFields(checker, collection)]))
  await validateEach(records, (record) => {
    const values = changedValuesFor(record, given)
    assertNotFrozen(collection, record, changedValues(collection, record, values, unread), unread)
    assertNotEmptied(collection, record, values)
  })
  return updateAll(writing, { collection, records, unread }, given)
}

export function assertNotUnique(collection: Collection, values: RecordValues): void {
  assertValid(
    collection.fields
      .filter((field) => field.unique && !isEmptyValue(values[field.id] ?? null))
      .map((field) => ({
        path: field.name,
        code: 'not-unique',
        message: `${field.label} must be unique, so you can’t set the same value in several records.`,
      })),
  )
}

async function updateAll(
  writing: Writing,
  { collection, records, unread }: Omit<LockedRecords, 'contexts'> & { readonly unread: HiddenFields },
  given: TaskValues,
): Promise<Outcome> {
  // Checked before determining the changed records, because these would reveal the targets of a hidden relation.
  await assertReferences(writing, collection, given)
  const moves = records
    .map((record) => ({ record, values: changedValues(collection, record, changedValuesFor(record, given), unread) }))
    .filter((move) => Object.keys(move.values).length > 0)
  if (moves.length === 0) return { changes: [], before: [] }

  const userId = userIdOf(writing.actor)
  await writeValues(
    writing,
    collection,
    moves.map((move) => ({ ...move, unread, updatedAt: writing.at, updatedBy: userId })),
  )
  if (collection.fields.some((field) => takesFiles(field) && given.values[field.id] !== undefined)) {
    for (const { record, values: after } of moves) {
      assertValid(await updateFiles(writing, collection, { record: record.id, before: record.values, after }))
    }
  }
  return { changes: valueChanges(collection, moves), before: moves }
}
