import { type Migration, runStatements } from './migration.ts'

/** Recalculations of lookups, counts and rollups. */
export const rollups: Migration = {
  number: 36,
  name: 'rollups',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `create table rollups (
        field_id ${text} primary key not null,
        collection_id ${text} not null,
        signature ${text} not null,
        cursor ${text},
        until ${text},
        is_again ${integer} not null,
        is_canceled ${integer} not null,
        done ${integer} not null,
        total ${integer}
      )`,
    ]),
}
