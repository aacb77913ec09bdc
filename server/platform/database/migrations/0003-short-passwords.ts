import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/**
 * Whether a password is only long enough beside a second factor: then the last factor stays until it is replaced. The
 * length itself is not kept. Every password from before was judged as the only factor.
 */
export const shortPasswords: Migration = {
  number: 3,
  name: 'short-passwords',
  apply: (transaction, { integer }) =>
    runStatements(transaction, [`alter table users add column password_is_short ${integer} not null default 0`]),
}
