import { type Migration, runStatements } from './migration.ts'

/** Pages of saved views. */
export const dashboards: Migration = {
  number: 38,
  name: 'dashboards',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `create table dashboards (
        id ${text} primary key not null,
        owner_id ${text} not null,
        name ${text} not null,
        is_shared ${integer} not null,
        position ${integer} not null,
        items ${text} not null,
        version ${integer} not null,
        created_at ${text} not null,
        updated_at ${text} not null,
        deleted_at ${text}
      )`,
    ]),
}
