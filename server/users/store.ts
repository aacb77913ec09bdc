import type { Kysely } from 'kysely'
import type { RoleName } from '#domain/access/roles.ts'
import type { Tables } from '#server/database/database.ts'

/** A user as stored at the time of their making. */
export type NewUserRow = {
  readonly id: string
  readonly email: string
  readonly emailFold: string
  readonly name: string
  readonly role: RoleName
  readonly passwordHash: string
  readonly createdAt: string
}

/** Stores a user; false when the address is taken. */
export async function insertUser(db: Kysely<Tables>, user: NewUserRow): Promise<boolean> {
  const result = await db
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      email_fold: user.emailFold,
      name: user.name,
      role: user.role,
      password_hash: user.passwordHash,
      created_at: user.createdAt,
      disabled_at: null,
      invited_at: null,
    })
    .onConflict((conflict) => conflict.column('email_fold').doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Whether anybody owns the workspace. */
export async function hasOwner(db: Kysely<Tables>): Promise<boolean> {
  const owner = await db.selectFrom('users').select('id').where('role', '=', 'owner').limit(1).executeTakeFirst()
  return owner !== undefined
}

/** The user with this address. */
export async function findUserByEmail(
  db: Kysely<Tables>,
  emailFold: string,
): Promise<{ readonly id: string; readonly role: string } | undefined> {
  return db.selectFrom('users').select(['id', 'role']).where('email_fold', '=', emailFold).executeTakeFirst()
}

/** Gives a user another role and another password, and lets them in again. */
export async function replaceLogin(
  db: Kysely<Tables>,
  id: string,
  login: { readonly role: RoleName; readonly passwordHash: string },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ role: login.role, password_hash: login.passwordHash, disabled_at: null })
    .where('id', '=', id)
    .execute()
}
