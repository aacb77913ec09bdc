import { type Migration, runStatements } from './migration.ts'

/** The activity shows how many records a change set changed without counting its entries. */
export const entryCounts: Migration = {
  number: 48,
  name: 'entry counts',
  apply: async (transaction, { integer }) => {
    await runStatements(transaction, [`alter table change_sets add column entry_count ${integer}`])
  },
}
