import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/**
 * What imports change in records that were there before: staged here, then written batch by batch, and kept as what the
 * one entry in the change log stands for. As long as an import is not done, it is also what undoes it.
 */
export const importChanges: Migration = {
  number: 6,
  name: 'import-changes',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `create table import_changes (
        import_id ${text} not null references imports (id) on delete cascade,
        record_id ${text} not null,
        row_number ${integer} not null,
        before ${text} not null,
        after ${text} not null,
        version ${integer},
        updated_at ${text},
        updated_by ${text},
        primary key (import_id, record_id)
      )`,
      'create index import_changes_record on import_changes (record_id)',
    ]),
}
