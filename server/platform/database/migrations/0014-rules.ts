import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** What must hold in every record of a collection. */
export const rules: Migration = {
  number: 14,
  name: 'rules',
  apply: (transaction, { text }) => runStatements(transaction, [`alter table collections add column rules ${text}`]),
}
