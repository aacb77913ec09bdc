import { sql } from 'kysely'
import type { CollectionId, FieldId, RecordId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'

/**
 * A recalculation of all values of a field, in the order of IDs. Records up to `cursor` are done. If inputs have changed
 * in the meantime, it continues from the start (`isAgain`) up to `until`, so that it never starts over.
 */
export type Recalculation = {
  readonly field: FieldId
  readonly collection: CollectionId
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
  cursor: row.cursor ?? '',
  until: row.until,
  isAgain: row.is_again === 1,
  isCanceled: row.is_canceled === 1,
  done: Number(row.done),
  total: row.total === null ? null : Number(row.total),
})

export const pendingRecalculations = async (db: Reader): Promise<Recalculation[]> =>
  (await pendingRows(db).execute()).map(recalculationOf)

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
 * request; one that is under way continues after its end, from the start up to its current position.
 */
export async function requestRecalculation({ db }: Transaction, fields: readonly FieldId[]): Promise<void> {
  if (fields.length === 0) return
  await db
    .updateTable('rollups')
    .set({
      until: sql<string | null>`case when cursor is null then null
        when cursor = '' and is_again = 0 then until else cursor end`,
      done: sql<number>`case when cursor is null then 0 else done end`,
      total: sql<number | null>`case when cursor is null then null else total end`,
      is_again: 0,
      cursor: sql<string>`coalesce(cursor, '')`,
    })
    .where('field_id', 'in', [...fields].toSorted())
    .execute()
}

export async function saveProgress(
  { db }: Transaction,
  { field, cursor, until, isAgain, done, total }: Omit<Recalculation, 'isCanceled'>,
): Promise<void> {
  await db
    .updateTable('rollups')
    .set({ cursor, until, is_again: isAgain ? 1 : 0, done, total })
    .where('field_id', '=', field)
    .execute()
}

export async function endRecalculation({ db }: Transaction, field: FieldId): Promise<void> {
  await db
    .updateTable('rollups')
    .set({ cursor: null, until: null, is_again: 0, is_canceled: 0 })
    .where('field_id', '=', field)
    .execute()
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
  if (gone.length > 0) await db.deleteFrom('rollups').where('field_id', 'in', gone).execute()
  const changed = signed.filter(({ field, signature }) => known.get(field) !== signature)
  for (const { field, collection, signature } of changed) {
    const fresh = { cursor: null, until: null, is_again: 0, is_canceled: 0, done: 0, total: null }
    await db
      .insertInto('rollups')
      .values({ field_id: field, collection_id: collection, signature, ...fresh })
      .onConflict((conflict) => conflict.column('field_id').doUpdateSet({ signature, is_canceled: 0 }))
      .execute()
  }
  return changed.map(({ field }) => field)
}
