import { type Migration, runStatements } from './migration.ts'

/** Changed records whose dependents are recalculated in the background, instead of all records. */
export const changedInputs: Migration = {
  number: 46,
  name: 'changed inputs',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `alter table rollups add column is_partial ${integer} not null default 0`,
      `create table rollup_inputs (
        field_id ${text} not null,
        level ${integer} not null,
        record_id ${text} not null,
        cursor ${text} not null,
        primary key (field_id, level, record_id, cursor)
      )`,
    ]),
}
