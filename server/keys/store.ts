import type { Reader, Transaction } from '#server/database/database.ts'

const NAME = 'first-key'

/** The id of the first secret of whoever worked on this database last; undefined where nobody said. */
export async function findFirstKey(db: Reader): Promise<string | undefined> {
  const row = await db.selectFrom('workspace').select('value').where('name', '=', NAME).executeTakeFirst()
  return row?.value
}

/** Writes it down. */
export async function saveFirstKey({ db }: Transaction, value: string): Promise<void> {
  await db
    .insertInto('workspace')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
