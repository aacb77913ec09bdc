import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** What somebody keeps at hand: a collection, or a view or a record of one. */
export const favourites: Migration = {
  number: 23,
  name: 'favourites',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `create table favourites (
        id ${text} primary key not null,
        user_id ${text} not null,
        collection_id ${text} not null,
        view_id ${text},
        record_id ${text},
        position ${integer} not null
      )`,
      'create index favourites_of_user on favourites (user_id, position)',
    ]),
}
