import { FIRST_POLICIES, FIRST_ROLES } from '#domain/access/built-in-roles.ts'
import { foldText } from '#domain/shared/text.ts'
import type { Dialect, Transaction } from '#server/platform/database/database.ts'
import { accountTables } from './initial/account-tables.ts'
import { fileTables, usageTriggers } from './initial/file-tables.ts'
import { recordTables } from './initial/record-tables.ts'
import { type Migration, runStatements } from './migration.ts'

/** All tables of the first release. Development databases since migration 28 have the same tables. */
export const initial: Migration = {
  number: 28,
  name: 'initial',
  apply: async (transaction, types) => {
    await runStatements(transaction, [
      `create table workspace (name ${types.text} primary key not null, value ${types.text} not null)`,
      // Created here so that writes can always lock these rows.
      `insert into workspace (name, value) values ('definitions-version', '0'), ('access-version', '1')`,
      ...accountTables(types),
      ...recordTables(types),
      ...fileTables(types),
      ...usageTriggers(transaction.dialect),
      ...auditTriggers(transaction.dialect),
    ])
    await storeBuiltInRoles(transaction)
  },
}

const APPEND_ONLY = 'the audit log is append-only'

const auditTriggers = (dialect: Dialect): readonly string[] =>
  dialect === 'sqlite'
    ? ['update', 'delete'].map(
        (event) =>
          `create trigger audit_log_refuses_${event} before ${event} on audit_log begin select raise(abort, '${APPEND_ONLY}'); end`,
      )
    : [
        `create function refuse_audit_change() returns trigger language plpgsql as $$
          begin raise exception '${APPEND_ONLY}'; end $$`,
        `create trigger audit_log_is_append_only before update or delete or truncate on audit_log
          for each statement execute function refuse_audit_change()`,
      ]

async function storeBuiltInRoles({ db }: Transaction): Promise<void> {
  for (const { id, name, about, grants, version } of FIRST_POLICIES) {
    const row = { id, name, name_fold: foldText(name), about, grants: JSON.stringify(grants), examples: '[]', version }
    await db.insertInto('policies').values(row).execute()
  }
  for (const [position, { id, name, about, policies, version }] of FIRST_ROLES.entries()) {
    const row = { id, name, name_fold: foldText(name), about, position, version }
    await db.insertInto('roles').values(row).execute()
    const assigned = policies.map((policy, at) => ({ role_id: id, policy_id: policy, position: at }))
    if (assigned.length > 0) await db.insertInto('role_policies').values(assigned).execute()
  }
}
