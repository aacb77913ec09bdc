import type { AssetId, FieldId, RecordId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/database/database.ts'

/** The files of these ids, attached or not. */
export const findAssets = async ({ db }: Transaction, ids: readonly AssetId[]) =>
  db
    .selectFrom('assets')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()

/** The files of these ids, for showing them. */
export const readAssets = async (db: Reader, ids: readonly AssetId[]) =>
  ids.length === 0
    ? []
    : db
        .selectFrom('assets')
        .selectAll()
        .where('id', 'in', [...ids])
        .execute()

/** Gives files to a record; they stay until they are taken out. */
export async function attachAssets({ db }: Transaction, ids: readonly AssetId[], record: RecordId): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('assets')
    .set({ record_id: record, taken_out_of: null, expires_at: null })
    .where('id', 'in', [...ids])
    .execute()
}

/** Takes files out of a record; they go away at `expiresAt` unless they are attached again. */
export async function detachAssets(
  { db }: Transaction,
  where: { readonly field: FieldId; readonly record: RecordId; readonly ids: readonly AssetId[] },
  expiresAt: string,
): Promise<void> {
  if (where.ids.length === 0) return
  await db
    .updateTable('assets')
    .set({ record_id: null, taken_out_of: where.record, expires_at: expiresAt })
    .where('id', 'in', [...where.ids])
    .where('record_id', '=', where.record)
    .where('field_id', '=', where.field)
    .execute()
}
