import { type Migration, runStatements } from './migration.ts'

/** Default values that are calculated by formulas. */
export const defaultFormulas: Migration = {
  number: 41,
  name: 'default-formulas',
  apply: (transaction, { text }) =>
    runStatements(transaction, [`alter table fields add column default_formula ${text}`]),
}
