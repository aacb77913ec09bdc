import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { isEmptyValue } from '#domain/fields/kinds.ts'
import { checkChangedValues } from '#domain/records/check-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { Json } from '#domain/shared/json.ts'
import type { Change } from '#server/changes/change-log.ts'
import type { Done, Writing } from '#server/changes/commit-change.ts'
import { moveFiles } from '#server/records/attach-files.ts'
import { checkReferences } from '#server/records/check-references.ts'
import { recordsForChange } from '#server/records/record-for-change.ts'
import { acceptedValues, refuseInvalid } from '#server/records/values-problem.ts'
import { refuseOutside } from '#server/records/visible-records.ts'
import { differing, writeRemovedRecords } from '#server/records/write-records.ts'
import { writeValues } from '#server/records/write-values.ts'
import { moveFound } from '#server/workflows/move-found.ts'
import { refuseFrozen } from '#server/workflows/refuse-frozen.ts'
import { workflowOf } from '#server/workflows/refuse-move.ts'
import { type Ground, groundOf, stillFound } from './find-records.ts'
import type { Task } from './task.ts'

/**
 * Does a task to those of these records that it is still about, and answers how many that were. `judges` are all asked
 * what they may see and change, and every one of them must agree.
 */
export async function changeFound(
  writing: Writing,
  judges: readonly Actor[],
  task: Task,
  ids: readonly RecordId[],
): Promise<Done<number>> {
  let left: readonly RecordId[] = ids
  for (const judge of judges) left = await stillFound(writing, judge, task, left)
  const grounds = judges.map((judge) => ({ judge, ...groundOf(writing.definitions, judge, task) }))
  const [first] = grounds
  if (!first || left.length === 0) return { answer: 0, changes: [], events: [] }

  const { collection } = first
  const records = await recordsForChange(writing, collection, left)
  const changes = await carryOut(writing, judges, { grounds, collection, records }, task)
  if (task.does === 'update') {
    for (const { judge, change } of grounds) await refuseOutside({ ...writing, actor: judge }, collection, change, left)
  }
  return {
    answer: records.length,
    changes,
    events: [{ type: 'records-changed', collection: collection.id, records: left }],
  }
}

type Found = {
  readonly grounds: readonly Ground[]
  readonly collection: Collection
  readonly records: readonly CollectionRecord[]
}

async function carryOut(
  writing: Writing,
  judges: readonly Actor[],
  { grounds, collection, records }: Found,
  task: Task,
): Promise<Change[]> {
  if (task.move) return moveFound(writing, judges, { way: workflowOf(collection), records }, task.move)
  if (task.does === 'delete') return writeRemovedRecords(writing, collection, records)
  const values = valuesFor(grounds, task)
  for (const judge of judges) {
    for (const record of records) refuseFrozen(judge, collection, record, values)
  }
  return updateAll(writing, collection, records, values)
}

/** The values a task gives, proven for everybody who is asked; the problem when they do not fit. */
export function valuesFor(grounds: readonly Ground[], { values }: Task): RecordValues {
  let checked: RecordValues = {}
  for (const { collection, change } of grounds) {
    checked = acceptedValues(checkChangedValues(collection, values, change.hiddenFields))
  }
  return checked
}

/** Refuses to give a value to many records that only one may have. */
export function refuseSharing(collection: Collection, values: RecordValues): void {
  refuseInvalid(
    collection.fields
      .filter((field) => field.unique && !isEmptyValue(values[field.id] ?? null))
      .map((field) => ({
        path: field.name,
        code: 'not-unique',
        message: `${field.label} must be unique, so several records cannot get the same.`,
      })),
  )
}

async function updateAll(
  writing: Writing,
  collection: Collection,
  records: readonly CollectionRecord[],
  values: RecordValues,
): Promise<Change[]> {
  // Before it is known what differs: that would tell where a relation leads out of sight.
  refuseInvalid(await checkReferences(writing, collection, { before: {}, after: values }))
  const moves = records
    .map((record) => ({ record, values: differing(collection, record, values) }))
    .filter((move) => Object.keys(move.values).length > 0)
  if (moves.length === 0) return []

  const userId = userIdOf(writing.actor)
  await writeValues(
    writing,
    collection,
    moves.map((move) => ({ ...move, updatedAt: writing.at, updatedBy: userId })),
  )
  if (collection.fields.some((field) => field.kind === 'files' && values[field.id] !== undefined)) {
    for (const { record, values: after } of moves) {
      refuseInvalid(await moveFiles(writing, collection, { record: record.id, before: record.values, after }))
    }
  }
  return moves.map(({ record, values: after }) => ({
    kind: 'record-changed',
    collection: collection.id,
    record: record.id,
    before: json(Object.fromEntries(Object.keys(after).map((field) => [field, record.values[field] ?? null]))),
    after: json(after),
  }))
}

/** Values are plain data; the type only forgets that documents are too. */
const json = (values: unknown): Json => values as Json
