import type { Reader } from './database.ts'

/** Reads a setting or mark from the `workspace` table, which has one row for each name. */
export async function readWorkspaceValue(db: Reader, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('workspace').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

export async function storeWorkspaceValue(db: Reader, name: string, value: string): Promise<void> {
  await db
    .insertInto('workspace')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
