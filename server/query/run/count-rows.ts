import type { CollectionId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { tableOf } from '#server/query/sql/sql-context.ts'

/** Rows of a collection, including those of running imports. */
export async function countRows(db: Reader, collection: CollectionId): Promise<number> {
  const row = await db
    .selectFrom(tableOf(collection))
    .select((each) => each.fn.countAll().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Faster than counting, because it reads at most one row more. */
export async function hasMoreRows(db: Reader, collection: CollectionId, than: number): Promise<boolean> {
  const row = await db.selectFrom(tableOf(collection)).select('id').offset(than).limit(1).executeTakeFirst()
  return row !== undefined
}
