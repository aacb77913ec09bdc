import type { Transaction } from '#server/platform/database/database.ts'
import { incrementDefinitionsVersion } from './store.ts'

export const notifyPendingImportsChanged = (transaction: Transaction): Promise<void> =>
  incrementDefinitionsVersion(transaction)

export const notifySearchIndexChanged = (transaction: Transaction): Promise<void> =>
  incrementDefinitionsVersion(transaction)
