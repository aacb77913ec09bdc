import type { EnrolledFactors } from '#domain/sessions/second-factors.ts'
import type { RoleId, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'

export type FactorUser = {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  /** Whether the password is too short without a second factor. */
  readonly isPasswordShort: boolean
  readonly isDisabled: boolean
}

export async function findFactorUser(db: Reader, id: UserId): Promise<FactorUser | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'password_hash', 'password_is_short', 'disabled_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
    isPasswordShort: row.password_is_short === 1,
    isDisabled: row.disabled_at !== null,
  }
}

export async function rolesOf(db: Reader, id: UserId): Promise<readonly RoleId[]> {
  const rows = await db.selectFrom('user_roles').select('role_id').where('user_id', '=', id).execute()
  return rows.map((row) => row.role_id)
}

/** Deletes a user's password; they can't sign in with a password until they set a new one. */
export async function forgetPassword(db: Reader, id: UserId): Promise<void> {
  await db.updateTable('users').set({ password_hash: '', password_is_short: 0 }).where('id', '=', id).execute()
}

export async function findEnrolledFactors(db: Reader, userId: UserId): Promise<EnrolledFactors> {
  const counts = await db
    .selectNoFrom((say) => [
      say
        .selectFrom('totp_secrets')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('confirmed_at', 'is not', null)
        .as('totp'),
      say
        .selectFrom('passkeys')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .as('passkeys'),
      say
        .selectFrom('recovery_codes')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('used_at', 'is', null)
        .as('codes'),
    ])
    .executeTakeFirst()
  return {
    hasTotp: Number(counts?.totp ?? 0) > 0,
    passkeyCount: Number(counts?.passkeys ?? 0),
    recoveryCodesLeft: Number(counts?.codes ?? 0),
  }
}

export async function storeTotp(
  db: Reader,
  totp: { readonly userId: UserId; readonly sealedSecret: string; readonly confirmedAt: Date; readonly step: number },
): Promise<void> {
  const values = { secret: totp.sealedSecret, confirmed_at: totp.confirmedAt.toISOString(), last_step: totp.step }
  await db
    .insertInto('totp_secrets')
    .values({ user_id: totp.userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

export async function findTotpSecret(db: Reader, userId: UserId): Promise<string | undefined> {
  const row = await db
    .selectFrom('totp_secrets')
    .select('secret')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return row?.secret
}

/** Consumes a TOTP time step and all earlier ones; false if it was already consumed. */
export async function consumeTotpStep(
  db: Reader,
  { userId, sealedSecret, step }: { readonly userId: UserId; readonly sealedSecret: string; readonly step: number },
): Promise<boolean> {
  const result = await db
    .updateTable('totp_secrets')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('secret', '=', sealedSecret)
    .where((is) => is.or([is('last_step', 'is', null), is('last_step', '<', step)]))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function deleteTotp(db: Reader, userId: UserId): Promise<boolean> {
  const result = await db.deleteFrom('totp_secrets').where('user_id', '=', userId).executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function replaceRecoveryCodes(db: Reader, userId: UserId, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (hashes.length === 0) return
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash, used_at: null })))
    .execute()
}

/** Consumes a recovery code; false if it belongs to another user or was already used. */
export async function consumeRecoveryCode(db: Reader, userId: UserId, hash: string, now: Date): Promise<boolean> {
  const result = await db
    .updateTable('recovery_codes')
    .set({ used_at: now.toISOString() })
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
