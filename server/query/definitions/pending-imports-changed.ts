import type { Transaction } from '#server/platform/database/database.ts'
import { incrementDefinitionsVersion } from './store.ts'

/** Says that an import began or ended: everybody reads anew whose rows are not there yet. */
export const notifyPendingImportsChanged = (transaction: Transaction): Promise<void> =>
  incrementDefinitionsVersion(transaction)
