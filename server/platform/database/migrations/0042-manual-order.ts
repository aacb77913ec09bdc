import { type Migration, runStatements } from './migration.ts'

/** Keys of the records that were moved in the manual order of a view. */
export const manualOrder: Migration = {
  number: 42,
  name: 'manual order',
  apply: (transaction, { text }) =>
    runStatements(transaction, [
      `create table view_positions (
        view_id ${text} not null,
        record_id ${text} not null,
        order_key ${text} not null,
        primary key (view_id, record_id)
      )`,
      'create unique index view_positions_order on view_positions (view_id, order_key)',
      'create index view_positions_record on view_positions (record_id)',
    ]),
}
