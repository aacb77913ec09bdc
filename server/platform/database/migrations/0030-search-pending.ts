import { type Migration, runStatements } from './migration.ts'

/** Row numbers of records whose texts changed after they were indexed; only SQLite has full-text indexes of its own. */
export const searchPending: Migration = {
  number: 30,
  name: 'search-pending',
  apply: async (transaction, { text, integer }) => {
    if (transaction.dialect === 'postgres') return
    await runStatements(transaction, [
      `create table search_pending (
        collection_id ${text} not null references collections (id) on delete cascade,
        seq ${integer} not null,
        primary key (collection_id, seq)
      ) without rowid`,
    ])
  },
}
