import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** Of which record a file was last taken out, so that whoever may write there can put it back. */
export const takenOutFiles: Migration = {
  number: 21,
  name: 'taken-out-files',
  apply: (transaction, { text }) => runStatements(transaction, [`alter table assets add column taken_out_of ${text}`]),
}
