import type { Transaction } from '#server/database/database.ts'
import { raiseDefinitionsVersion } from './store.ts'

/** Says that the full-text indexes changed, so that every process looks at them again. */
export const noteSearchParts = (transaction: Transaction): Promise<void> => raiseDefinitionsVersion(transaction)
