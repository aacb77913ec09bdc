import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/**
 * Whether a session outlives its browser. Its idle end is no longer stored: it follows from when the session was last
 * used and from what the workspace says now.
 */
export const sessionLifetimes: Migration = {
  number: 4,
  name: 'session-lifetimes',
  apply: (transaction, { integer }) =>
    runStatements(transaction, [
      `alter table sessions add column is_remembered ${integer} not null default 1`,
      'alter table sessions drop column idle_ends_at',
    ]),
}
