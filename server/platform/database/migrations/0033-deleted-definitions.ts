import { type Migration, runStatements } from './migration.ts'

/** Deleted fields and collections, whose columns and tables are kept until they can no longer be restored. */
export const deletedDefinitions: Migration = {
  number: 33,
  name: 'deleted definitions',
  apply: (transaction, { text }) =>
    runStatements(transaction, [
      `create table deleted_definitions (
        id ${text} primary key not null,
        collection_id ${text} not null,
        definition ${text} not null,
        deleted_at ${text} not null,
        deleted_by ${text}
      )`,
      'create index deleted_definitions_collection on deleted_definitions (collection_id)',
    ]),
}
