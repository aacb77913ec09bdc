import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** A row for every blob, so that several servers agree on which of them may go. */
export const blobs: Migration = {
  number: 20,
  name: 'blobs',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `create table blobs (
        hash ${text} primary key not null,
        bytes ${integer} not null,
        used_at ${text} not null,
        going_at ${text}
      )`,
      'insert into blobs (hash, bytes, used_at) select hash, max(bytes), max(created_at) from assets group by hash',
    ]),
}
