import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** By what collections are found at a glance: their sign, their colour, and the group they stand in. */
export const collectionLooks: Migration = {
  number: 22,
  name: 'collection-looks',
  apply: (transaction, { text }) =>
    runStatements(
      transaction,
      ['icon', 'color', 'group_name'].map((column) => `alter table collections add column ${column} ${text}`),
    ),
}
