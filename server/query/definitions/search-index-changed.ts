import type { Transaction } from '#server/platform/database/database.ts'
import { incrementDefinitionsVersion } from './store.ts'

/** Says that the full-text indexes changed, so that every process looks at them again. */
export const notifySearchIndexChanged = (transaction: Transaction): Promise<void> =>
  incrementDefinitionsVersion(transaction)
