import type { RecordValues } from '#domain/records/record.ts'
import type { CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import type { RecordMeta } from '#server/records/changes/change-log.ts'

export type StoredDeletion = {
  readonly record: RecordId
  readonly collection: CollectionId
  readonly entry: string
  readonly changeSet: string
  readonly deletedAt: string
  readonly deletedBy: UserId | null
  readonly values: RecordValues
  readonly meta: RecordMeta
}

/** Maximum per write, so that other writes don't have to wait. */
const MAX_EXPIRED = 1000

const deletions = (db: Reader) =>
  db
    .selectFrom('trash')
    .innerJoin('changes', 'changes.id', 'trash.entry_id')
    .select(['trash.record_id', 'trash.collection_id', 'trash.entry_id', 'trash.change_set_id', 'trash.deleted_at'])
    .select(['changes.user_id', 'changes.before', 'changes.record_meta'])

type Row = Awaited<ReturnType<ReturnType<typeof deletions>['executeTakeFirstOrThrow']>>

const deletionOf = (row: Row): StoredDeletion => ({
  record: row.record_id,
  collection: row.collection_id,
  entry: row.entry_id,
  changeSet: row.change_set_id,
  deletedAt: row.deleted_at,
  deletedBy: row.user_id,
  values: JSON.parse(row.before ?? '{}'),
  meta: JSON.parse(row.record_meta ?? '{}'),
})

type TrashQuery = {
  /** All collections if undefined. */
  readonly collection: CollectionId | undefined
  /** Entry ID after which the page begins. */
  readonly before: string | undefined
  /** Records deleted earlier are left out, even if the cleanup hasn't removed them yet. */
  readonly since: string
  readonly limit: number
}

/** Deleted records, last deleted first. */
export async function findDeletions(
  db: Reader,
  { collection, before, since, limit }: TrashQuery,
): Promise<StoredDeletion[]> {
  const page = await db
    .selectFrom('trash')
    .select('entry_id')
    .where('deleted_at', '>=', since)
    .$if(collection !== undefined, (own) => own.where('collection_id', '=', collection ?? ''))
    .$if(before !== undefined, (older) => older.where('entry_id', '<', before ?? ''))
    .orderBy('entry_id', 'desc')
    .limit(limit)
    .execute()
  const ids = page.map(({ entry_id: id }) => id)
  if (ids.length === 0) return []
  return (await deletions(db).where('trash.entry_id', 'in', ids).orderBy('trash.entry_id', 'desc').execute()).map(
    deletionOf,
  )
}

/** The deletions of these records that haven't expired. */
export async function findDeletionsOf(
  db: Reader,
  records: readonly RecordId[],
  since: string,
): Promise<StoredDeletion[]> {
  const found: StoredDeletion[] = []
  for (const some of chunkIds(records)) {
    const rows = await deletions(db)
      .where('trash.record_id', 'in', some)
      .where('trash.deleted_at', '>=', since)
      .execute()
    found.push(...rows.map(deletionOf))
  }
  return found
}

/** Removes records from the trash, with their positions in views, and lets their files expire. */
export async function purgeFromTrash({ db }: Transaction, records: readonly RecordId[], at: string): Promise<void> {
  for (const some of chunkIds(records)) {
    const deleted = db.selectFrom('trash').select('record_id').where('record_id', 'in', some)
    await db.deleteFrom('view_positions').where('record_id', 'in', deleted).execute()
    await db.deleteFrom('trash').where('record_id', 'in', some).execute()
    await db
      .updateTable('assets')
      .set({ expires_at: at })
      .where('taken_out_of', 'in', some)
      .where('record_id', 'is', null)
      .execute()
  }
}

/** Some of the records that were deleted before `until`. */
export async function expiredRecords({ db }: Transaction, until: string): Promise<RecordId[]> {
  const rows = await db
    .selectFrom('trash')
    .select('record_id')
    .where('deleted_at', '<', until)
    .limit(MAX_EXPIRED)
    .execute()
  return rows.map(({ record_id: id }) => id)
}
