import type { Asset } from '#domain/assets/asset.ts'
import { foldText } from '#domain/shared/text.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { Upload, UploadState } from '#domain/uploads/upload.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'

const STATES: readonly UploadState[] = ['open', 'ready', 'failed']

export async function findUpload(db: Reader, id: string): Promise<Upload | undefined> {
  const row = await db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      target: { collection: row.collection_id, field: row.field_id, record: row.record_id },
      file: { name: row.name, type: row.declared_type, bytes: row.size },
      committed: row.committed,
      sniffedType: row.sniffed_type,
      state: STATES.find((state) => state === row.state) ?? 'failed',
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }
  )
}

export async function countOpenUploads(db: Reader, userId: UserId): Promise<number> {
  const row = await db
    .selectFrom('uploads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

export async function insertUpload({ db }: Transaction, upload: Upload): Promise<void> {
  await db
    .insertInto('uploads')
    .values({
      id: upload.id,
      user_id: upload.userId,
      collection_id: upload.target.collection,
      field_id: upload.target.field,
      record_id: upload.target.record,
      name: upload.file.name,
      declared_type: upload.file.type,
      size: upload.file.bytes,
      committed: upload.committed,
      sniffed_type: upload.sniffedType,
      state: upload.state,
      created_at: upload.createdAt,
      expires_at: upload.expiresAt,
    })
    .execute()
}

/** Sets the committed offset if it is still `from`; returns whether it was set. */
export async function commitOffset(
  { db }: Transaction,
  { id, committed, sniffedType, expiresAt }: Upload,
  from: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('uploads')
    .set({ committed, sniffed_type: sniffedType, expires_at: expiresAt })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('committed', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function renameUpload({ db }: Transaction, id: string, name: string): Promise<void> {
  await db.updateTable('uploads').set({ name }).where('id', '=', id).execute()
}

export async function setUploadState({ db }: Transaction, id: string, state: UploadState): Promise<void> {
  await db.updateTable('uploads').set({ state }).where('id', '=', id).execute()
}

export async function deleteUpload({ db }: Transaction, id: string): Promise<void> {
  await db.deleteFrom('uploads').where('id', '=', id).execute()
}

/** Creates a finished file that expires at `expiresAt` unless it is attached; does nothing if the file exists. */
export async function insertAsset(
  { db }: Transaction,
  asset: Asset & { readonly ending: string | null },
  at: string,
  expiresAt: string,
): Promise<void> {
  await db
    .insertInto('assets')
    .values({
      id: asset.id,
      user_id: asset.userId,
      hash: asset.hash,
      name: asset.name,
      name_fold: foldText(asset.name),
      type: asset.type,
      ending: asset.ending,
      bytes: asset.bytes,
      width: asset.width,
      height: asset.height,
      created_at: at,
      collection_id: asset.collection,
      field_id: asset.field,
      record_id: null,
      expires_at: expiresAt,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

export const findFileOwner = (
  db: Reader,
  id: string,
): Promise<{ readonly user_id: string | null; readonly record_id: string | null } | undefined> =>
  db.selectFrom('assets').select(['user_id', 'record_id']).where('id', '=', id).executeTakeFirst()

/** Returns whether an unattached file of this user existed. */
export async function deleteUnattachedAsset({ db }: Transaction, id: string, userId: UserId): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('assets')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('record_id', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
