import type { Asset } from '#domain/assets/asset.ts'
import type { Reader } from '#server/platform/database/database.ts'

export async function findAsset(db: Reader, id: string): Promise<Asset | undefined> {
  const row = await db.selectFrom('assets').selectAll().where('id', '=', id).executeTakeFirst()
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      hash: row.hash,
      name: row.name,
      type: row.type,
      bytes: row.bytes,
      width: row.width,
      height: row.height,
      collection: row.collection_id,
      field: row.field_id,
      record: row.record_id,
    }
  )
}

/** Files that don't exist are omitted. */
export async function filesToZip(
  db: Reader,
  ids: readonly string[],
): Promise<Map<string, { readonly name: string; readonly bytes: number; readonly at: Date }>> {
  const rows = await db
    .selectFrom('assets')
    .select(['id', 'name', 'bytes', 'created_at'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name, bytes, created_at }) => [id, { name, bytes, at: new Date(created_at) }]))
}
