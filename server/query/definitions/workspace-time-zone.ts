import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { readWorkspaceValue, storeWorkspaceValue } from '#server/platform/database/workspace-values.ts'
import { incrementDefinitionsVersion } from './store.ts'

const TIME_ZONE = 'time-zone'

/** The workspace's time zone; defaults to UTC. */
export async function loadTimeZone(reader: Reader): Promise<string> {
  return (await readWorkspaceValue(reader, TIME_ZONE)) ?? 'UTC'
}

/** Changes the workspace's time zone. It is part of the definitions, so that all caches are updated. */
export async function storeTimeZone(transaction: Transaction, value: string): Promise<void> {
  await storeWorkspaceValue(transaction.db, TIME_ZONE, value)
  await incrementDefinitionsVersion(transaction)
}
