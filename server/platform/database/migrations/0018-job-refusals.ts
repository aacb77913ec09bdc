import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** Records a job left as they are, and why. */
export const jobRefusals: Migration = {
  number: 18,
  name: 'job-refusals',
  apply: (transaction, { text }) => runStatements(transaction, [`alter table jobs add column refused ${text}`]),
}
