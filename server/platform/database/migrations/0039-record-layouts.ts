import { type Migration, runStatements } from './migration.ts'

/** How the fields of a record are arranged; null for the default arrangement. */
export const recordLayouts: Migration = {
  number: 39,
  name: 'record layouts',
  apply: (transaction, { text }) => runStatements(transaction, [`alter table collections add column layout ${text}`]),
}
