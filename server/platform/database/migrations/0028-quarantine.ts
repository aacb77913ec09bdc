import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** Since when no file refers to a blob, and on which day of sweeps that was. */
export const quarantine: Migration = {
  number: 28,
  name: 'quarantine',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `alter table blobs add column quarantined_at ${text}`,
      `alter table blobs add column quarantine_day ${integer}`,
      'create index blobs_in_quarantine on blobs (hash) where quarantined_at is not null',
    ]),
}
