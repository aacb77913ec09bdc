import type { Transaction } from '#server/database/database.ts'
import { raiseDefinitionsVersion } from './store.ts'

/** Says that an import began or ended: everybody reads anew whose rows are not there yet. */
export const notePendingImports = (transaction: Transaction): Promise<void> => raiseDefinitionsVersion(transaction)
