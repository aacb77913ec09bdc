import { type Migration, runStatements } from './migration.ts'

/** Finds out whether a change set was undone. */
export const undoneChanges: Migration = {
  number: 32,
  name: 'undone changes',
  apply: (transaction) =>
    runStatements(transaction, ['create index change_sets_undoes on change_sets (undoes) where undoes is not null']),
}
