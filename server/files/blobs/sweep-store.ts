import type { Reader, Transaction } from '#server/platform/database/database.ts'

/** Both databases limit the parameters of a statement. */
const IDS_PER_STATEMENT = 500

export async function openUploadIds(db: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT) {
    const some = ids.slice(at, at + IDS_PER_STATEMENT)
    const rows = await db
      .selectFrom('uploads')
      .select('id')
      .where('id', 'in', some)
      .where('state', '=', 'open')
      .execute()
    for (const { id } of rows) found.add(id)
  }
  return found
}

/** Complete uploads that were not finished, because the server stopped. */
export async function completeUploadIds(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where('state', '=', 'open')
    .whereRef('committed', '=', 'size')
    .execute()
  return rows.map(({ id }) => id)
}

/** Expired uploads accept no more requests. */
export async function expiredUploadIds(db: Reader, at: string): Promise<string[]> {
  const rows = await db.selectFrom('uploads').select('id').where('expires_at', '<=', at).execute()
  return rows.map(({ id }) => id)
}

/** Deletes an upload if it is still expired: its client may have returned. */
export async function deleteExpiredUpload({ db }: Transaction, id: string, at: string): Promise<void> {
  await db.deleteFrom('uploads').where('id', '=', id).where('expires_at', '<=', at).execute()
}

export async function deleteExpiredAssets({ db }: Transaction, at: string): Promise<void> {
  await db.deleteFrom('assets').where('record_id', 'is', null).where('expires_at', '<=', at).execute()
}
