import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** Saved views, and which of them opens first for whom. */
export const views: Migration = {
  number: 17,
  name: 'views',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `create table views (
        id ${text} primary key not null,
        collection_id ${text} not null,
        owner_id ${text} not null,
        name ${text} not null,
        is_shared ${integer} not null,
        is_locked ${integer} not null,
        position ${integer} not null,
        content ${text} not null,
        version ${integer} not null,
        created_at ${text} not null,
        updated_at ${text} not null
      )`,
      'create index views_of_collection on views (collection_id, is_shared, owner_id)',
      `create table first_views (
        user_id ${text} not null,
        collection_id ${text} not null,
        view_id ${text} not null,
        primary key (user_id, collection_id)
      )`,
      'create index first_views_view on first_views (view_id)',
    ]),
}
