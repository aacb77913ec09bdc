import type { AssetId, FieldId, RecordId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { MAX_IDS, chunkIds } from '#server/platform/database/rows/id-lists.ts'

/** The files with these IDs, attached or not, in several statements if needed. */
export async function findAssets(db: Reader, ids: readonly AssetId[]) {
  const select = (some: readonly AssetId[]) => db.selectFrom('assets').selectAll().where('id', 'in', some).execute()
  const found: Awaited<ReturnType<typeof select>> = []
  for (const some of chunkIds(ids, MAX_IDS)) found.push(...(await select(some)))
  return found
}

export async function attachAssets({ db }: Transaction, ids: readonly AssetId[], record: RecordId): Promise<void> {
  for (const some of chunkIds(ids)) {
    await db
      .updateTable('assets')
      .set({ record_id: record, taken_out_of: null, expires_at: null })
      .where('id', 'in', some)
      .execute()
  }
}

/** Detaches files from a record; they are deleted at `expiresAt` unless attached again. */
export async function detachAssets(
  { db }: Transaction,
  where: { readonly field: FieldId; readonly record: RecordId; readonly ids: readonly AssetId[] },
  expiresAt: string,
): Promise<void> {
  for (const some of chunkIds(where.ids)) {
    await db
      .updateTable('assets')
      .set({ record_id: null, taken_out_of: where.record, expires_at: expiresAt })
      .where('id', 'in', some)
      .where('record_id', '=', where.record)
      .where('field_id', '=', where.field)
      .execute()
  }
}
