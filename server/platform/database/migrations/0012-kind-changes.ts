import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** Changes of a field's kind that are under way, one a collection; and how many values a job had to leave behind. */
export const kindChanges: Migration = {
  number: 12,
  name: 'kind-changes',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `create table kind_changes (
        collection_id ${text} primary key not null,
        job_id ${text} not null unique,
        field_id ${text} not null,
        shadow_id ${text} not null,
        spec ${text} not null
      )`,
      `alter table jobs add column lost ${integer}`,
    ]),
}
