import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** Until when a letter is left to the process that is sending it; null as long as nobody is. */
export const mailTurns: Migration = {
  number: 25,
  name: 'mail-turns',
  apply: (transaction, { text }) => runStatements(transaction, [`alter table mails add column taken_until ${text}`]),
}
