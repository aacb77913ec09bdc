import type { Reader, Transaction } from '#server/platform/database/database.ts'

/** Row of `workspace` with the time and place of the last backup. */
const LAST_BACKUP = 'last-backup'

export async function storeLastBackup({ db }: Transaction, value: string): Promise<void> {
  await db
    .insertInto('workspace')
    .values({ name: LAST_BACKUP, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

export async function findLastBackup(db: Reader): Promise<string | undefined> {
  const row = await db.selectFrom('workspace').select('value').where('name', '=', LAST_BACKUP).executeTakeFirst()
  return row?.value
}
