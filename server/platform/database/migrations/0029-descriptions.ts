import { type Migration, runStatements } from './migration.ts'

/** Descriptions of collections and fields; null if there is none. */
export const descriptions: Migration = {
  number: 29,
  name: 'descriptions',
  apply: (transaction, { text }) =>
    runStatements(
      transaction,
      ['collections', 'fields'].map((table) => `alter table ${table} add column description ${text}`),
    ),
}
