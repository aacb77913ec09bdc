import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/**
 * What stood in a session's row was enough to make its refresh tokens. Now it is only a salt beside the key ring; a session
 * that began before cannot be told from one that a copy of the database knows, so every open one ends.
 */
export const refreshSalt: Migration = {
  number: 27,
  name: 'refresh-salt',
  apply: (transaction) =>
    runStatements(transaction, [
      'alter table sessions rename column refresh_key to refresh_salt',
      `update sessions set refresh_salt = '', ended_at = coalesce(ended_at, used_at), end_reason = coalesce(end_reason, 'upgraded')`,
    ]),
}
