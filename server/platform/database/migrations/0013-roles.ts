import { FIRST_POLICIES, FIRST_ROLES } from '#domain/access/built-in-roles.ts'
import { foldText } from '#domain/shared/text.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** Roles are written down, each with its policies, and users have several. What they had so far they keep. */
export const roles: Migration = {
  number: 13,
  name: 'roles',
  apply: async (transaction, { text, integer }) => {
    await runStatements(transaction, [
      `create table roles (
        id ${text} primary key not null,
        name ${text} not null,
        name_fold ${text} not null unique,
        about ${text} not null,
        position ${integer} not null,
        version ${integer} not null
      )`,
      `create table policies (
        id ${text} primary key not null,
        name ${text} not null,
        name_fold ${text} not null unique,
        about ${text} not null,
        grants ${text} not null,
        examples ${text} not null,
        version ${integer} not null
      )`,
      `create table role_policies (
        role_id ${text} not null references roles (id) on delete cascade,
        policy_id ${text} not null references policies (id),
        position ${integer} not null,
        primary key (role_id, policy_id)
      )`,
      `create table user_roles (
        user_id ${text} not null references users (id) on delete cascade,
        role_id ${text} not null references roles (id),
        primary key (user_id, role_id)
      )`,
      'create index user_roles_role on user_roles (role_id)',
      `alter table users add column profile ${text} not null default '{}'`,
      `insert into workspace (name, value) values ('access-version', '1')`,
    ])
    await storeFirst(transaction)
    await runStatements(transaction, [
      // A role that this program does not know granted nothing, and still does.
      `insert into user_roles (user_id, role_id)
        select users.id, roles.id from users join roles on roles.id = users.role`,
      'alter table users drop column role',
    ])
  },
}

async function storeFirst({ db }: Transaction): Promise<void> {
  for (const { id, name, about, grants, version } of FIRST_POLICIES) {
    const row = { id, name, name_fold: foldText(name), about, grants: JSON.stringify(grants), examples: '[]', version }
    await db.insertInto('policies').values(row).execute()
  }
  for (const [position, { id, name, about, policies, version }] of FIRST_ROLES.entries()) {
    await db
      .insertInto('roles')
      .values({ id, name, name_fold: foldText(name), about, position, version })
      .execute()
    for (const [at, policy] of policies.entries()) {
      await db.insertInto('role_policies').values({ role_id: id, policy_id: policy, position: at }).execute()
    }
  }
}
