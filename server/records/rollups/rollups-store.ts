import { sql } from 'kysely'
import type { CollectionId, FieldId, RecordId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { chunkRows } from '#server/platform/database/rows/id-lists.ts'

/**
 * A recalculation of all values of a field, in the order of IDs. Records up to `cursor` are done. If all values are
 * requested again in the meantime, it continues from the start (`isAgain`) up to `until`, so that it never starts over.
 *
 * If it `isPartial`, only the records that depend on changed inputs are recalculated. Those of inputs that change during a
 * recalculation of all values are recalculated after it.
 */
export type Recalculation = {
  readonly field: FieldId
  readonly collection: CollectionId
  readonly isPartial: boolean
  readonly cursor: RecordId
  readonly until: RecordId | null
  readonly isAgain: boolean
  readonly isCanceled: boolean
  readonly done: number
  readonly total: number | null
}

const pendingRows = (db: Reader) => db.selectFrom('rollups').selectAll().where('cursor', 'is not', null)

type Row = Awaited<ReturnType<ReturnType<typeof pendingRows>['executeTakeFirstOrThrow']>>

const recalculationOf = (row: Row): Recalculation => ({
  field: row.field_id,
  collection: row.collection_id,
  isPartial: row.is_partial === 1,
  cursor: row.cursor ?? '',
  until: row.until,
  isAgain: row.is_again === 1,
  isCanceled: row.is_canceled === 1,
  done: Number(row.done),
  total: row.total === null ? null : Number(row.total),
})

export const pendingRecalculations = async (db: Reader): Promise<Recalculation[]> =>
  (await pendingRows(db).execute()).map(recalculationOf)

/** Fields of which all values are being calculated. */
export async function calculatedFields(db: Reader): Promise<ReadonlySet<FieldId>> {
  const rows = await pendingRows(db).where('is_partial', '=', 0).where('is_canceled', '=', 0).execute()
  return new Set(rows.map((row) => row.field_id))
}

/** On PostgreSQL, no other write can request a recalculation until this one ends. */
export async function lockRecalculation(
  { db, dialect }: Transaction,
  field: FieldId,
): Promise<Recalculation | undefined> {
  const query = pendingRows(db).where('field_id', '=', field)
  const row = await (dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
  return row && recalculationOf(row)
}

/**
 * Requests that all values of these fields are calculated again. A recalculation that has just started includes the
 * request; one that is under way continues after its end, from the start up to its current position. A partial one
 * becomes one of all values.
 */
export async function requestRecalculation({ db }: Transaction, fields: readonly FieldId[]): Promise<void> {
  if (fields.length === 0) return
  await db
    .updateTable('rollups')
    .set({
      until: sql<string | null>`case when cursor is null then null
        when cursor = '' and is_again = 0 then until else cursor end`,
      done: sql<number>`case when cursor is null or is_partial = 1 then 0 else done end`,
      total: sql<number | null>`case when cursor is null or is_partial = 1 then null else total end`,
      is_again: 0,
      is_partial: 0,
      cursor: sql<string>`coalesce(cursor, '')`,
    })
    .where('field_id', 'in', [...fields].toSorted())
    .execute()
  await removeInputs(db, fields)
}

/**
 * A changed record on the path of a field: at level 0 the record that contains the field, at the last level one whose
 * value is summarized. Its dependents up to `cursor` have been recalculated.
 */
export type ChangedInput = { readonly level: number; readonly record: RecordId; readonly cursor: RecordId }

/** With more, recalculating all records is simpler and hardly slower. */
const MAX_INPUTS = 1000

/**
 * Requests that the dependents of changed records are calculated again. Returns false if there are so many that all
 * records must be recalculated instead. An input that is being worked on is added once more.
 */
export async function requestDependents(
  { db }: Transaction,
  field: FieldId,
  inputs: readonly Pick<ChangedInput, 'level' | 'record'>[],
): Promise<boolean> {
  if (inputs.length > MAX_INPUTS) return false
  await db
    .updateTable('rollups')
    .set({
      is_partial: sql<number>`case when cursor is null then 1 else is_partial end`,
      done: sql<number>`case when cursor is null then 0 else done end`,
      total: sql<number | null>`case when cursor is null or is_partial = 1 then null else total end`,
      cursor: sql<string>`coalesce(cursor, '')`,
    })
    .where('field_id', '=', field)
    .execute()
  const rows = inputs.map(({ level, record }) => ({ field_id: field, level, record_id: record, cursor: '' }))
  for (const some of chunkRows(rows)) {
    await db
      .insertInto('rollup_inputs')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return !(await hasTooManyInputs(db, field))
}

async function hasTooManyInputs(db: Reader, field: FieldId): Promise<boolean> {
  const query = db.selectFrom('rollup_inputs').select('level').where('field_id', '=', field)
  return (await query.limit(1).offset(MAX_INPUTS).executeTakeFirst()) !== undefined
}

/** The one that is being worked on comes first. */
export async function changedInputs(db: Reader, field: FieldId): Promise<ChangedInput[]> {
  const rows = await db
    .selectFrom('rollup_inputs')
    .select(['level', 'record_id', 'cursor'])
    .where('field_id', '=', field)
    .orderBy('cursor', 'desc')
    .orderBy('level')
    .orderBy('record_id')
    .execute()
  return rows.map((row) => ({ level: row.level, record: row.record_id, cursor: row.cursor }))
}

/** Removes an input, or moves it on after some of its dependents have been recalculated. */
export async function moveInput(
  { db }: Transaction,
  field: FieldId,
  { level, record, cursor }: ChangedInput,
  next: RecordId | null,
): Promise<void> {
  const key = { field_id: field, level, record_id: record, cursor }
  await (next === null
    ? db
        .deleteFrom('rollup_inputs')
        .where((row) => row.and(key))
        .execute()
    : db
        .updateTable('rollup_inputs')
        .set({ cursor: next })
        .where((row) => row.and(key))
        .execute())
}

async function removeInputs(db: Transaction['db'], fields: readonly FieldId[]): Promise<void> {
  await db
    .deleteFrom('rollup_inputs')
    .where('field_id', 'in', [...fields])
    .execute()
}

export async function saveProgress(
  { db }: Transaction,
  { field, cursor, until, isAgain, done, total }: Omit<Recalculation, 'isCanceled' | 'isPartial'>,
): Promise<void> {
  await db
    .updateTable('rollups')
    .set({ cursor, until, is_again: isAgain ? 1 : 0, done, total })
    .where('field_id', '=', field)
    .execute()
}

/** Ends a recalculation of all values; the dependents of inputs that have changed meanwhile are recalculated next. */
export async function endCalculation(transaction: Transaction, field: FieldId): Promise<void> {
  const { db } = transaction
  if ((await changedInputs(db, field)).length === 0) return endRecalculation(transaction, field)
  await db
    .updateTable('rollups')
    .set({ cursor: '', until: null, is_again: 0, is_partial: 1, done: 0, total: null })
    .where('field_id', '=', field)
    .execute()
}

export async function endRecalculation({ db }: Transaction, field: FieldId): Promise<void> {
  await db
    .updateTable('rollups')
    .set({ cursor: null, until: null, is_again: 0, is_canceled: 0, is_partial: 0 })
    .where('field_id', '=', field)
    .execute()
  await removeInputs(db, [field])
}

export async function setCanceled({ db }: Transaction, fields: readonly FieldId[], isCanceled: boolean): Promise<void> {
  if (fields.length === 0) return
  await db
    .updateTable('rollups')
    .set({ is_canceled: isCanceled ? 1 : 0 })
    .where('field_id', 'in', [...fields])
    .execute()
}

type Signed = { readonly field: FieldId; readonly collection: CollectionId; readonly signature: string }

/**
 * Updates the definitions from which values were calculated, and returns the fields whose values must be calculated
 * again.
 */
export async function replaceSignatures({ db }: Transaction, signed: readonly Signed[]): Promise<FieldId[]> {
  const rows = await db.selectFrom('rollups').select(['field_id', 'signature']).execute()
  const known = new Map(rows.map((row) => [row.field_id, row.signature]))
  const live = new Set(signed.map(({ field }) => field))
  const gone = [...known.keys()].filter((field) => !live.has(field))
  if (gone.length > 0) {
    await db.deleteFrom('rollups').where('field_id', 'in', gone).execute()
    await removeInputs(db, gone)
  }
  const changed = signed.filter(({ field, signature }) => known.get(field) !== signature)
  for (const { field, collection, signature } of changed) {
    const fresh = { cursor: null, until: null, is_again: 0, is_canceled: 0, is_partial: 0, done: 0, total: null }
    await db
      .insertInto('rollups')
      .values({ field_id: field, collection_id: collection, signature, ...fresh })
      .onConflict((conflict) => conflict.column('field_id').doUpdateSet({ signature, is_canceled: 0 }))
      .execute()
  }
  return changed.map(({ field }) => field)
}
