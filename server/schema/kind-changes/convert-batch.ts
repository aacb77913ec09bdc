import { Problem } from '#domain/shared/problem.ts'
import { commitDefinition, type WriteResult, type Writing } from '#server/records/changes/commit-change.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { type KindChange, deleteChange } from './kind-changes-store.ts'
import { kindChangeOf } from './running-changes.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { UniqueViolation } from '#server/platform/database/database-errors.ts'
import { isOwnedByThisProcess, jobActor, nextBatchSize } from '#server/records/jobs/job-batch.ts'
import type { BatchSize, BulkDeps, FieldConversion } from '#server/records/bulk/bulk-deps.ts'
import { lockJob, type StoredJob, updateJob } from '#server/records/jobs/store.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type FieldValue, holdsList } from '#domain/fields/field.ts'
import { isEmptyValue, startingValue } from '#domain/fields/kinds.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import {
  allocateNumbers,
  continueNumbersAfter,
  lastNumberOf,
  deleteNumbers,
} from '#server/records/values/auto-numbers.ts'
import { getField, storeDefinition } from '#server/schema/collections/change-collection.ts'
import { conversionOf, textOf } from '#server/records/values/convert-value.ts'
import { type HeldValue, writeValues, EXAMPLE_LENGTH } from '#server/schema/fields/convert-values.ts'
import { markConverted, pendingRecords, countLost, dropChangeNotes, sampleLost } from './shadow-store.ts'
import { clearLists, existing, highestNumber, idsAfter, readFieldValues } from '#server/schema/fields/values-store.ts'
import { readsFieldEverywhere } from '#domain/access/decide.ts'
import { convertedValues, discardRestored, keepFormerValues } from '#server/schema/fields/former-values.ts'
import { withField } from '#server/schema/fields/change-field.ts'
import { withFormerSettings } from '#server/schema/undo/undo-conversion.ts'
import { dropFieldColumns, renameFieldColumns } from '#server/schema/collections/tables-store.ts'

type Step = {
  readonly done: number
  readonly lastRecord: RecordId | null
  readonly isOver: boolean
}

/**
 * Converts the next records: first those written since their conversion, then the next records by ID. Auto numbers need
 * two passes, because missing numbers are assigned in ID order only after all existing numbers are known.
 */
async function convertStep(
  transaction: Transaction,
  collection: Collection,
  change: KindChange,
  { after, limit }: { readonly after: RecordId | null; readonly limit: number },
): Promise<Step> {
  const { shadow } = change
  const isCounted = shadow.kind === 'auto-number'
  const counted = isCounted ? await lastNumberOf(transaction, shadow.id) : undefined
  const again = await pendingRecords(transaction, shadow, limit)
  const next = await idsAfter(transaction.db, collection.id, after, limit - again.length)
  const converted = await convertRecords(transaction, collection, change, {
    ids: [...new Set([...again, ...next])],
    counted,
  })

  // Locked records are skipped; the next step resumes at the first of them.
  const free = next.slice(
    0,
    countLeading(next, (id) => converted.has(id)),
  )
  const progress = { done: free.length, lastRecord: free.at(-1) ?? after }
  const areAllFree = free.length === next.length && again.every((id) => converted.has(id))
  if (!areAllFree || again.length + next.length === limit) return { ...progress, isOver: false }
  if (!isCounted || counted !== undefined) return { ...progress, isOver: true }
  await continueNumbersAfter(transaction, shadow.id, await highestNumber(transaction, collection.id, shadow.id))
  return { ...progress, lastRecord: null, isOver: false }
}

const countLeading = (ids: readonly RecordId[], is: (id: RecordId) => boolean): number => {
  const end = ids.findIndex((id) => !is(id))
  return end === -1 ? ids.length : end
}

type RecordBatch = { readonly ids: readonly RecordId[]; readonly counted: number | undefined }

/** Returns the IDs of the converted records; deleted records count as converted. */
async function convertRecords(
  transaction: Transaction,
  collection: Collection,
  { field, shadow, former }: KindChange,
  { ids, counted }: RecordBatch,
): Promise<ReadonlySet<RecordId>> {
  if (ids.length === 0) return new Set()
  const old = getField(collection, field)
  const start = shadow.kind === 'state' ? startingValue(shadow) : null
  const lost: RecordId[] = []
  const written: HeldValue[] = []
  const empty: RecordId[] = []
  const values = await convertedValues(transaction, collection, { old, target: shadow, former }, ids)
  for (const { id, value } of values) {
    if (value === undefined) lost.push(id)
    const stands = value ?? start
    if (isEmptyValue(stands)) empty.push(id)
    else written.push({ id, value: stands })
  }
  if (counted !== undefined) written.push(...(await numbered(transaction, shadow.id, { counted, written, empty })))
  const there = await existing(transaction.db, collection.id, ids)
  const converted = new Set([...values.map(({ id }) => id), ...ids.filter((id) => !there.has(id))])
  if (holdsList(shadow)) await clearLists(transaction, shadow.id, [...converted])
  await writeValues(transaction, collection, shadow, written)
  await markConverted(transaction, shadow, { converted: [...converted], lost })
  return converted
}

async function numbered(
  transaction: Transaction,
  field: string,
  {
    counted,
    written,
    empty,
  }: { readonly counted: number; readonly written: readonly HeldValue[]; readonly empty: readonly RecordId[] },
): Promise<HeldValue[]> {
  const highest = written.reduce((most, { value }) => Math.max(most, numberOf(value)), counted)
  if (highest > counted) await continueNumbersAfter(transaction, field, highest)
  if (empty.length === 0) return []
  const first = await allocateNumbers(transaction, field, empty.length)
  return empty.toSorted().map((id, at) => ({ id, value: first + at }))
}

const numberOf = (value: FieldValue): number => (typeof value === 'number' ? value : 0)

const MAX_FINAL_BATCH = 200

/** Minimum batch size; a statement for a hundred records takes hardly longer than one for five. */
const MIN_CONVERTED = 100

/**
 * Converts the next batch, and switches to the new field after the last one; returns the next batch size, or undefined
 * if done.
 */
async function convertBatch(deps: BulkDeps, job: StoredJob, pace: BatchSize): Promise<BatchSize | undefined> {
  const limit = Math.max(pace.records, MIN_CONVERTED)
  const came = await convertNext(deps, job, limit).then(undefined, (error: unknown) => {
    throw error instanceof UniqueViolation ? notUnique() : error
  })
  if (!came) return undefined
  if (came.isOver && (await finishIfConverted(deps, job))) return undefined
  return nextBatchSize(pace, limit, performance.now() - came.beganMs)
}

type BatchResult = { readonly isOver: boolean; readonly beganMs: number }

const convertNext = (deps: BulkDeps, job: StoredJob, limit: number): Promise<BatchResult | undefined> =>
  deps.database.write(
    async (transaction) => {
      const found = await lockKindChange(deps, transaction, job)
      if (!found) return undefined
      const beganMs = performance.now()
      const { held, change } = found
      const definitions = await deps.definitions.within(transaction)
      const at = { after: held.lastRecord, limit }
      const { done, lastRecord, isOver } = await convertStep(
        transaction,
        collectionOf({ definitions }, change),
        change,
        at,
      )
      await updateJob(transaction, held, {
        done: held.done + done,
        lastRecord,
        aliveAt: deps.clock().toISOString(),
      })
      return { isOver, beganMs }
    },
    { locksItself: true },
  )

/**
 * Converts the last records and switches to the new field, in one write; returns false if too many records are left for
 * a single write.
 */
async function finishIfConverted(deps: BulkDeps, job: StoredJob): Promise<boolean> {
  const now = await jobActor(deps, job)
  return commitDefinition(
    deps,
    now,
    async (writing): Promise<WriteResult<boolean>> => {
      const { transaction } = writing
      const found = await lockKindChange(deps, transaction, job)
      if (!found) return withoutChanges(true)
      const { held, change } = found
      for (const checker of [job.actor, now]) {
        getCollection(writing.definitions, checker, 'collections:manage', change.collection)
      }
      const at = { after: held.lastRecord, limit: MAX_FINAL_BATCH }
      const { done, lastRecord, isOver } = await convertStep(transaction, collectionOf(writing, change), change, at)
      const progress = { done: held.done + done, lastRecord, aliveAt: writing.at }
      if (!isOver) {
        await updateJob(transaction, held, progress)
        return withoutChanges(false)
      }
      const { answer: lost, ...finished } = await finishKindChange(writing, change)
      await updateJob(transaction, held, { ...progress, state: 'done', lost, endedAt: writing.at })
      return { ...finished, answer: true }
    },
    { isQuiet: true },
  )
}

const withoutChanges = <Answer>(answer: Answer): WriteResult<Answer> => ({ answer, changes: [], events: [] })

/** The job with its change, locked until the write ends, if this process still runs it. */
async function lockKindChange(
  deps: BulkDeps,
  transaction: Transaction,
  { id }: StoredJob,
): Promise<{ readonly held: StoredJob; readonly change: KindChange } | undefined> {
  const held = await lockJob(transaction, id)
  const change = await kindChangeOf(transaction.db, id)
  return isOwnedByThisProcess(deps, held) && change ? { held, change } : undefined
}

const notUnique = (): Problem =>
  new Problem(
    'definition-invalid',
    'Nothing was changed. Several records would get the same value, but it must be unique.',
  )

export const fieldConversion: FieldConversion = {
  convertBatch,
  abandon: async (transaction, job) => {
    const change = await kindChangeOf(transaction.db, job)
    if (change) await abandonKindChange(transaction, change)
  },
}

/** Replaces the old values with the converted ones, in one write. Returns the number of lost values. */
async function finishKindChange(writing: Writing, change: KindChange): Promise<WriteResult<number>> {
  const { transaction } = writing
  const { shadow, next, former, job } = change
  const before = collectionOf(writing, change)
  const lost = await countLost(transaction.db, shadow)
  if (lost > 0 && !change.acceptLoss) throw await lossSincePreview(writing, before, change, lost)
  if (next.kind === 'relation' && !writing.definitions.byId.has(next.options.collection))
    throw new Problem('definition-invalid', `The linked collection of ${next.label} no longer exists.`)

  const counted = await lastNumberOf(transaction, shadow.id)
  await dropChangeNotes(transaction, shadow)
  await deleteChange(transaction, change)
  const old = getField(before, change.field)
  await keepFormerValues(writing, before, { old, changeSet: job, former })
  await renameFieldColumns(transaction, before.id, shadow, next)
  if (former) await discardRestored(writing, before, former, next)
  if (counted !== undefined) {
    await continueNumbersAfter(transaction, next.id, counted)
    await deleteNumbers(transaction, [shadow.id])
  }
  const converted = withField(before, next, change.position ?? undefined)
  const after = former ? await withFormerSettings(writing, converted, former.changeSet) : converted
  const stored = await storeDefinition(writing, before, after)
  const changeSet = { id: job, via: 'job', sourceId: job, undoes: former?.changeSet ?? null } as const
  return { ...stored, answer: lost, changeSet }
}

/** The collection whose field is being changed; it can't be deleted until the change ends. */
function collectionOf({ definitions }: Pick<Writing, 'definitions'>, { collection }: KindChange): Collection {
  const found = definitions.byId.get(collection)
  if (!found) throw new Problem('collection-not-found', 'The collection no longer exists.')
  return found
}

async function abandonKindChange(transaction: Transaction, change: KindChange): Promise<void> {
  await dropChangeNotes(transaction, change.shadow)
  await deleteChange(transaction, change)
  await dropFieldColumns(transaction, change.collection, change.shadow)
}

/** Reports values that were written after the preview and are invalid for the new kind. */
async function lossSincePreview(
  { transaction, actor }: Writing,
  collection: Collection,
  { field, next, shadow }: KindChange,
  count: number,
): Promise<Problem> {
  const old = getField(collection, field)
  if (!readsFieldEverywhere(actor, collection, field))
    return kindChangeFailed(`New values were saved in the meantime, and ${next.label} would lose them.`)
  const conversion = await conversionOf(transaction.db, old, shadow)
  const held = await readFieldValues(transaction, collection, old, await sampleLost(transaction.db, shadow, 3))
  const some = held.map(({ value }) => `“${textOf(conversion, value).slice(0, EXAMPLE_LENGTH)}”`).join(', ')
  return kindChangeFailed(
    count === 1
      ? `A new value was saved in the meantime, and ${next.label} would lose it: ${some}.`
      : `${count} new values were saved in the meantime, and ${next.label} would lose them, for example ${some}.`,
  )
}

const kindChangeFailed = (why: string): Problem =>
  new Problem(
    'definition-invalid',
    `${why} The field was not changed. Change the field type again to see which values would be lost.`,
  )
