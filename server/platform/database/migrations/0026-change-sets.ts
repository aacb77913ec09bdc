import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** What undoing a deletion needs: which log entries belong together, and what a deleted record carried besides values. */
export const changeSets: Migration = {
  number: 26,
  name: 'change-sets',
  apply: (transaction, { text }) =>
    runStatements(transaction, [
      `alter table changes add column change_set_id ${text}`,
      `alter table changes add column record_meta ${text}`,
      'create index changes_change_set on changes (change_set_id, id) where change_set_id is not null',
    ]),
}
