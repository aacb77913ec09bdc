import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** The way the records of a collection take, and what was noted at a move. */
export const workflows: Migration = {
  number: 15,
  name: 'workflows',
  apply: (transaction, { text }) =>
    runStatements(transaction, [
      `alter table collections add column workflow ${text}`,
      `alter table changes add column note ${text}`,
    ]),
}
