import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Migration, runStatements } from './migration.ts'

/**
 * The change log can be read in commit order. PostgreSQL stores the transaction of each entry for this; on SQLite, row
 * numbers are in commit order. The ID of the log changes when a backup is restored.
 */
export const commitOrder: Migration = {
  number: 34,
  name: 'commit order',
  apply: async (transaction) => {
    await sql`
      insert into workspace (name, value) values ('change-log-id', ${randomUUID()}) on conflict (name) do nothing
    `.execute(transaction.db)
    if (transaction.dialect === 'sqlite') return
    await runStatements(transaction, [
      // A constant default doesn't rewrite the table; a later default applies only to new rows.
      `alter table changes add column transaction_id xid8 not null default '0'`,
      'alter table changes alter column transaction_id set default pg_current_xact_id()',
      'create index changes_commit_order on changes (transaction_id, id)',
    ])
  },
}
