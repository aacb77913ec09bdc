import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { Profile } from '#domain/access/actor.ts'
import { OWNER } from '#domain/access/policy.ts'
import type { UserStatus } from '#domain/access/user.ts'
import type { RoleId, UserId } from '#domain/shared/ids.ts'
import type { Language } from '#domain/shared/language.ts'
import { foldText } from '#domain/shared/text.ts'
import type { Database, Tables } from '#server/platform/database/database.ts'
import { profileIn, readUserRoles, userRoleColumns } from '#server/platform/database/tables/user-role-columns.ts'

export type NewUserRow = {
  readonly id: string
  readonly email: string
  readonly emailFold: string
  readonly name: string
  readonly roles: readonly RoleId[]
  readonly profile?: Profile | undefined
  /** Empty for invited users, because no password matches it. */
  readonly passwordHash: string
  readonly createdAt: string
  readonly invitedAt?: string
}

export async function insertUser(db: Kysely<Tables>, user: NewUserRow): Promise<boolean> {
  const result = await db
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      email_fold: user.emailFold,
      ...nameCells(user.name),
      profile: JSON.stringify(user.profile ?? {}),
      password_hash: user.passwordHash,
      created_at: user.createdAt,
      disabled_at: null,
      invited_at: user.invitedAt ?? null,
    })
    .onConflict((conflict) => conflict.column('email_fold').doNothing())
    .executeTakeFirst()
  if ((result.numInsertedOrUpdatedRows ?? 0n) === 0n) return false
  await insertRoles(db, user.id, user.roles)
  return true
}

async function insertRoles(db: Kysely<Tables>, user: UserId, roles: readonly RoleId[]): Promise<void> {
  const rows = [...new Set(roles)].map((role) => ({ user_id: user, role_id: role }))
  if (rows.length > 0) await db.insertInto('user_roles').values(rows).execute()
}

export async function replaceRoles(db: Kysely<Tables>, user: UserId, roles: readonly RoleId[]): Promise<void> {
  await db.deleteFrom('user_roles').where('user_id', '=', user).execute()
  await insertRoles(db, user, roles)
}

const nameCells = (name: string) => ({ name, name_fold: foldText(name) })

export async function hasOwner(db: Kysely<Tables>): Promise<boolean> {
  const owner = await db
    .selectFrom('user_roles')
    .select('user_id')
    .where('role_id', '=', OWNER)
    .limit(1)
    .executeTakeFirst()
  return owner !== undefined
}

export type StoredUser = {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly roles: readonly RoleId[]
  readonly profile: Profile
  readonly passwordHash: string
  readonly createdAt: string
  readonly isDisabled: boolean
  readonly isInvited: boolean
  readonly lastSeenAt: string | null
}

const selectUsers = (db: Kysely<Tables>) =>
  db
    .selectFrom('users')
    .select(['users.id', 'email', 'name', 'profile', 'password_hash', 'users.created_at', 'disabled_at', 'invited_at'])
    .select((is) =>
      is
        .selectFrom('sessions')
        .select(({ fn }) => fn.max('used_at').as('at'))
        .whereRef('sessions.user_id', '=', 'users.id')
        .as('last_seen_at'),
    )
    .select(userRoleColumns())

type UserColumns = Awaited<ReturnType<ReturnType<typeof selectUsers>['execute']>>[number]

const userOfRow = (row: UserColumns): StoredUser => ({
  id: row.id,
  email: row.email,
  name: row.name,
  roles: readUserRoles(row).roles,
  profile: profileIn(row.profile),
  passwordHash: row.password_hash,
  createdAt: row.created_at,
  isDisabled: row.disabled_at !== null,
  isInvited: row.invited_at !== null,
  lastSeenAt: row.last_seen_at,
})

export async function findUser(db: Kysely<Tables>, id: UserId): Promise<StoredUser | undefined> {
  const row = await selectUsers(db).where('users.id', '=', id).executeTakeFirst()
  return row && userOfRow(row)
}

export async function findUserByEmail(db: Kysely<Tables>, emailFold: string): Promise<StoredUser | undefined> {
  const row = await selectUsers(db).where('email_fold', '=', emailFold).executeTakeFirst()
  return row && userOfRow(row)
}

export async function withFactorAmong(db: Kysely<Tables>, ids: readonly UserId[]): Promise<ReadonlySet<UserId>> {
  if (ids.length === 0) return new Set()
  const rows = await authenticators(db)
    .where('user_id', 'in', [...ids])
    .union(passkeys(db).where('user_id', 'in', [...ids]))
    .execute()
  return new Set(rows.map((row) => row.user_id))
}

const authenticators = (db: Kysely<Tables>) =>
  db.selectFrom('totp_secrets').select('user_id').where('confirmed_at', 'is not', null)

const passkeys = (db: Kysely<Tables>) => db.selectFrom('passkeys').select('user_id')

/** Whether another active owner exists. */
export async function hasOtherOwner(db: Kysely<Tables>, than: UserId): Promise<boolean> {
  const other = await db
    .selectFrom('user_roles')
    .innerJoin('users', 'users.id', 'user_roles.user_id')
    .select('users.id')
    .where('role_id', '=', OWNER)
    .where('users.id', '!=', than)
    .where('disabled_at', 'is', null)
    .where('invited_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

export async function replaceLogin(
  db: Kysely<Tables>,
  id: UserId,
  login: { readonly roles: readonly RoleId[]; readonly passwordHash: string },
): Promise<void> {
  await replaceRoles(db, id, login.roles)
  await db
    .updateTable('users')
    .set({
      password_hash: login.passwordHash,
      password_is_short: 0,
      disabled_at: null,
      invited_at: null,
    })
    .where('id', '=', id)
    .execute()
}

/** Sets an invited user's name and password; returns false if the user has already accepted or has been deactivated. */
export async function completeInvitation(
  db: Kysely<Tables>,
  id: UserId,
  login: { readonly name: string; readonly passwordHash: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ ...nameCells(login.name), password_hash: login.passwordHash, invited_at: null })
    .where('id', '=', id)
    .where('invited_at', 'is not', null)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function updateUser(
  db: Kysely<Tables>,
  id: UserId,
  changes: {
    readonly name?: string | undefined
    readonly profile?: Profile
    readonly passwordHash?: string
    /** Whether the password is too short without a second factor; changed together with the password. */
    readonly isPasswordShort?: boolean
    readonly disabledAt?: string | null
    readonly language?: Language | undefined
  },
): Promise<void> {
  const { name, profile, passwordHash, isPasswordShort, disabledAt, language } = changes
  const cells = {
    ...(name === undefined ? {} : nameCells(name)),
    ...(profile === undefined ? {} : { profile: JSON.stringify(profile) }),
    ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
    ...(isPasswordShort === undefined ? {} : { password_is_short: Number(isPasswordShort) }),
    ...(disabledAt === undefined ? {} : { disabled_at: disabledAt }),
    ...(language === undefined ? {} : { language }),
  }
  // An SQL update needs at least one column.
  if (Object.keys(cells).length > 0) await db.updateTable('users').set(cells).where('id', '=', id).execute()
}

export type UserSearch = {
  /** Case-folded words; each must occur in the name or email. */
  readonly words: readonly string[]
  readonly role?: RoleId | undefined
  readonly standing?: UserStatus | undefined
}

export type UserCursor = { readonly nameFold: string; readonly id: string }

type Requested = Pick<Database, 'read' | 'dialect'>
type UserExpression = ExpressionBuilder<Tables, 'users'>

export async function selectUsersAfter(
  { read, dialect }: Requested,
  search: UserSearch,
  { after, limit }: { readonly after: UserCursor | undefined; readonly limit: number },
): Promise<readonly (StoredUser & UserCursor)[]> {
  const found = selectUsers(read)
    .select('name_fold')
    .where((is) => matchesSearch(is, { read, dialect }, search))
    .orderBy('name_fold')
    .orderBy('users.id')
    .limit(limit)
  const rows = await (after === undefined
    ? found
    : found.where(sql<boolean>`(name_fold, users.id) > (${after.nameFold}, ${after.id})`)
  ).execute()
  return rows.map((row) => ({ ...userOfRow(row), nameFold: row.name_fold }))
}

export async function countUsers(requested: Requested, search: UserSearch): Promise<number> {
  const { count } = await requested.read
    .selectFrom('users')
    .select(({ fn }) => fn.countAll().as('count'))
    .where((is) => matchesSearch(is, requested, search))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function matchesSearch(is: UserExpression, { read, dialect }: Requested, { words, role, standing }: UserSearch) {
  const placeOf = (word: string) =>
    dialect === 'postgres'
      ? sql<number>`strpos(name_fold || ' ' || email_fold, ${word})`
      : sql<number>`instr(name_fold || ' ' || email_fold, ${word})`
  return is.and([
    ...words.map((word) => is(placeOf(word), '>', 0)),
    ...(role === undefined ? [] : [is('users.id', 'in', holdersOf(read, role))]),
    ...(standing === undefined ? [] : [hasStatus(is, read, standing)]),
  ])
}

const holdersOf = (read: Kysely<Tables>, role: RoleId) =>
  read.selectFrom('user_roles').select('user_id').where('role_id', '=', role)

function hasStatus(is: UserExpression, read: Kysely<Tables>, standing: UserStatus) {
  const isHere = is.and([is('disabled_at', 'is', null), is('invited_at', 'is', null)])
  switch (standing) {
    case 'here':
      return isHere
    case 'invited':
      return is.and([is('disabled_at', 'is', null), is('invited_at', 'is not', null)])
    case 'locked-out':
      return is('disabled_at', 'is not', null)
    case 'no-factor':
      return is.and([isHere, is('users.id', 'not in', authenticators(read)), is('users.id', 'not in', passkeys(read))])
  }
}
