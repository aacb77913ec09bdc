import type { Reader, Transaction } from '#server/platform/database/database.ts'

/** The fact of the workspace that says when it was last backed up, and where to. */
const LAST_BACKUP = 'last-backup'

/** Stores what is known of the last backup. */
export async function storeLastBackup({ db }: Transaction, value: string): Promise<void> {
  await db
    .insertInto('workspace')
    .values({ name: LAST_BACKUP, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** What is known of the last backup, if there was one. */
export async function findLastBackup(db: Reader): Promise<string | undefined> {
  const row = await db.selectFrom('workspace').select('value').where('name', '=', LAST_BACKUP).executeTakeFirst()
  return row?.value
}
