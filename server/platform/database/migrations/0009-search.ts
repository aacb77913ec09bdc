import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/**
 * Which full-text indexes there are on SQLite, and which stretch of records each still has to take in. Collections from
 * before have none; the server makes them when it starts. Names of files are looked for field by field.
 */
export const search: Migration = {
  number: 9,
  name: 'search',
  apply: (transaction, { text }) =>
    runStatements(transaction, [
      `create table search_parts (
        id ${text} primary key not null,
        collection_id ${text} not null references collections (id) on delete cascade,
        fields ${text} not null,
        gap_from ${text},
        gap_to ${text},
        retired_at ${text}
      )`,
      'create index search_parts_collection on search_parts (collection_id)',
      'create index assets_field on assets (field_id)',
    ]),
}
