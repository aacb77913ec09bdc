import type { Asset } from '#domain/assets/asset.ts'
import type { Reader } from '#server/database/database.ts'

/** The file of that id. */
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
