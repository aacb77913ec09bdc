import { type Migration, runStatements } from './migration.ts'

/** While most of its records are being deleted, a full-text index keeps their entries; it is replaced afterwards. */
export const discardedIndexes: Migration = {
  number: 47,
  name: 'discarded indexes',
  apply: async (transaction, { text }) => {
    // Only SQLite has full-text indexes of its own.
    if (transaction.dialect !== 'sqlite') return
    await runStatements(transaction, [`alter table search_parts add column discarded_at ${text}`])
  },
}
