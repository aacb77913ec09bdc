import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** Who looks at the product as whom; the audit log finds what is asked for, and refuses to be changed. */
export const auditAndUsers: Migration = {
  number: 16,
  name: 'audit-and-users',
  apply: async (transaction, { text }) => {
    await runStatements(transaction, [
      `alter table sessions add column view_as ${text}`,
      `alter table audit_log add column collection_id ${text}`,
      // Newest first within each of the things it is asked by.
      'drop index audit_log_user',
      'create index audit_log_user on audit_log (user_id, id)',
      'create index audit_log_about on audit_log (about_id, id) where about_id is not null',
      'create index audit_log_kind on audit_log (kind, id)',
      'create index audit_log_collection on audit_log (collection_id, id) where collection_id is not null',
    ])
    await runStatements(transaction, transaction.dialect === 'sqlite' ? SQLITE_LOCK : POSTGRES_LOCK)
  },
}

/** An entry that is written stays as it is, whatever part of the program, or whoever at the database, tries otherwise. */
const REFUSAL = 'the audit log is append-only'

const SQLITE_LOCK = ['update', 'delete'].map(
  (what) =>
    `create trigger audit_log_refuses_${what} before ${what} on audit_log begin select raise(abort, '${REFUSAL}'); end`,
)

const POSTGRES_LOCK = [
  `create function refuse_audit_change() returns trigger language plpgsql as $$
    begin raise exception '${REFUSAL}'; end $$`,
  `create trigger audit_log_is_append_only before update or delete or truncate on audit_log
    for each statement execute function refuse_audit_change()`,
]
