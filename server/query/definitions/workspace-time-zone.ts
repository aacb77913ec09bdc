import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { incrementDefinitionsVersion } from './store.ts'

const TIME_ZONE = 'time-zone'

/** The workspace's time zone; defaults to UTC. */
export async function loadTimeZone(reader: Reader): Promise<string> {
  const row = await reader.selectFrom('workspace').select('value').where('name', '=', TIME_ZONE).executeTakeFirst()
  return row?.value ?? 'UTC'
}

/** Changes the workspace's time zone. It is part of the definitions, so that all caches are updated. */
export async function storeTimeZone(transaction: Transaction, value: string): Promise<void> {
  await transaction.db
    .insertInto('workspace')
    .values({ name: TIME_ZONE, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
  await incrementDefinitionsVersion(transaction)
}
