import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** The language somebody chose; null as long as they chose none. */
export const languages: Migration = {
  number: 24,
  name: 'languages',
  apply: (transaction, { text }) => runStatements(transaction, [`alter table users add column language ${text}`]),
}
