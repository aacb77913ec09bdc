import { type Migration, runStatements } from './migration.ts'

/** If only the texts of one index have changed, the record doesn't need to be added to the others again. */
export const pendingParts: Migration = {
  number: 45,
  name: 'pending parts',
  apply: async (transaction, { text }) => {
    // Only SQLite has full-text indexes of its own.
    if (transaction.dialect !== 'sqlite') return
    await runStatements(transaction, [`alter table search_pending add column part_id ${text}`])
  },
}
