import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** The indexes that the server made by itself; each bears the name `x_` and its id. */
export const indexes: Migration = {
  number: 8,
  name: 'indexes',
  apply: (transaction, { text }) =>
    runStatements(transaction, [
      `create table indexes (
        id ${text} primary key not null,
        collection_id ${text} not null references collections (id) on delete cascade,
        spec ${text} not null,
        state ${text} not null check (state in ('building', 'ready')),
        made_at ${text} not null,
        used_at ${text} not null,
        unique (collection_id, spec)
      )`,
    ]),
}
