import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { UserId } from '#domain/shared/ids.ts'
import type { Reader, Tables } from '#server/platform/database/database.ts'
import { type UserRoles, userRoleColumns, readUserRoles } from '#server/platform/database/tables/user-role-columns.ts'

export type StoredToken = {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly usedAt: Date | null
  readonly expiresAt: Date | null
  readonly isRevoked: boolean
}

export type TokenWithUser = StoredToken & {
  readonly user: UserRoles & {
    readonly id: UserId
    readonly email: string
    readonly name: string
    readonly profile: string
    readonly isDisabled: boolean
    readonly hasSecondFactor: boolean
  }
}

const scopesSchema = z.array(z.string())

const COLUMNS = [
  'api_tokens.id',
  'api_tokens.name',
  'scopes',
  'api_tokens.created_at',
  'api_tokens.used_at',
  'expires_at',
  'revoked_at',
] as const

type TokenColumns = {
  readonly id: string
  readonly name: string
  readonly scopes: string
  readonly created_at: string
  readonly used_at: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

const tokenOf = (row: TokenColumns): StoredToken => ({
  id: row.id,
  name: row.name,
  scopes: scopesSchema.parse(JSON.parse(row.scopes)),
  createdAt: new Date(row.created_at),
  usedAt: dateOf(row.used_at),
  expiresAt: dateOf(row.expires_at),
  isRevoked: row.revoked_at !== null,
})

/** Finds a token by its hash, with its user. Runs on every request of an API client. */
export async function findToken(db: Kysely<Tables>, hash: string): Promise<TokenWithUser | undefined> {
  const row = await db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select(COLUMNS)
    .select(['users.id as user_id', 'users.name as user_name', 'email', 'profile', 'disabled_at'])
    .select((is) => [
      is
        .exists(
          is
            .selectFrom('totp_secrets')
            .select('totp_secrets.user_id')
            .whereRef('totp_secrets.user_id', '=', 'users.id')
            .where('confirmed_at', 'is not', null),
        )
        .as('has_totp'),
      is
        .exists(is.selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.user_id', '=', 'users.id'))
        .as('has_passkey'),
    ])
    .select(userRoleColumns())
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const user = {
    id: row.user_id,
    name: row.user_name,
    email: row.email,
    profile: row.profile,
    ...readUserRoles(row),
    isDisabled: row.disabled_at !== null,
    hasSecondFactor: Boolean(row.has_totp) || Boolean(row.has_passkey),
  }
  return { ...tokenOf(row), user }
}

export async function findTokenById(db: Reader, id: string): Promise<StoredToken | undefined> {
  const row = await db.selectFrom('api_tokens').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row && tokenOf(row)
}

export async function updateTokenScopes(db: Kysely<Tables>, id: string, scopes: readonly string[]): Promise<void> {
  await db
    .updateTable('api_tokens')
    .set({ scopes: JSON.stringify(scopes) })
    .where('id', '=', id)
    .execute()
}

export async function listTokensOf(db: Kysely<Tables>, userId: UserId): Promise<StoredToken[]> {
  const rows = await db
    .selectFrom('api_tokens')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(tokenOf)
}

type NewTokenRow = {
  readonly id: string
  readonly userId: UserId
  readonly hash: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

export async function insertToken(db: Kysely<Tables>, token: NewTokenRow): Promise<void> {
  await db
    .insertInto('api_tokens')
    .values({
      id: token.id,
      user_id: token.userId,
      hash: token.hash,
      name: token.name,
      scopes: JSON.stringify(token.scopes),
      created_at: token.createdAt.toISOString(),
      used_at: null,
      expires_at: token.expiresAt?.toISOString() ?? null,
      revoked_at: null,
    })
    .execute()
}

export async function revokeTokens(
  db: Kysely<Tables>,
  of: { readonly userId: UserId; readonly only?: string },
  now: Date,
): Promise<number> {
  let revoking = db
    .updateTable('api_tokens')
    .set({ revoked_at: now.toISOString() })
    .where('user_id', '=', of.userId)
    .where('revoked_at', 'is', null)
  if (of.only !== undefined) revoking = revoking.where('id', '=', of.only)
  const { numUpdatedRows } = await revoking.executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function recordTokenUse(db: Kysely<Tables>, id: string, now: Date): Promise<void> {
  const at = now.toISOString()
  const isLater = db.updateTable('api_tokens').set({ used_at: at }).where('id', '=', id)
  await isLater.where((is) => is.or([is('used_at', 'is', null), is('used_at', '<', at)])).execute()
}
