import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** Tries that failed, so that no restart forgives them. Whose they are stands there as a hash alone. */
export const failedTries: Migration = {
  number: 5,
  name: 'failed-tries',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `create table failed_tries (
        key_hash ${text} primary key not null,
        about_hash ${text} not null,
        count ${integer} not null,
        last_at ${text} not null
      )`,
      'create index failed_tries_about on failed_tries (about_hash)',
      'create index failed_tries_last on failed_tries (last_at)',
    ]),
}
