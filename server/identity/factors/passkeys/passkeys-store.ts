import { z } from 'zod'
import type { UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'

export type StoredPasskey = {
  readonly id: string
  readonly userId: UserId
  readonly credentialId: string
  readonly publicKey: string
  /** The authenticator's signature counter; always 0 for synced passkeys. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: string
  readonly usedAt: string | null
}

type PasskeyColumns = {
  id: string
  user_id: string
  credential_id: string
  public_key: string
  counter: number
  transports: string
  name: string
  created_at: string
  used_at: string | null
}

const transportsSchema = z.array(z.string())

const passkeyOf = (row: PasskeyColumns): StoredPasskey => ({
  id: row.id,
  userId: row.user_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: row.counter,
  transports: transportsSchema.parse(JSON.parse(row.transports)),
  name: row.name,
  createdAt: row.created_at,
  usedAt: row.used_at,
})

export async function listPasskeys(db: Reader, userId: UserId): Promise<StoredPasskey[]> {
  const rows = await db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  return rows.map(passkeyOf)
}

export async function findPasskey(db: Reader, credentialId: string): Promise<StoredPasskey | undefined> {
  const row = await db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
  return row && passkeyOf(row)
}

export async function insertPasskey(db: Reader, passkey: StoredPasskey): Promise<boolean> {
  const result = await db
    .insertInto('passkeys')
    .values({
      id: passkey.id,
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: JSON.stringify(passkey.transports),
      name: passkey.name,
      created_at: passkey.createdAt,
      used_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Records that a passkey was used; false if it was removed or another request used it first. */
export async function markPasskeyUsed(
  db: Reader,
  passkey: Pick<StoredPasskey, 'id' | 'counter'>,
  use: { readonly counter: number; readonly now: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('passkeys')
    .set({ counter: use.counter, used_at: use.now.toISOString() })
    .where('id', '=', passkey.id)
    .where('counter', '=', passkey.counter)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function renamePasskeyOf(
  db: Reader,
  { userId, id, name }: Pick<StoredPasskey, 'userId' | 'id' | 'name'>,
): Promise<string | undefined> {
  const before = await db
    .selectFrom('passkeys')
    .select('name')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (before !== undefined) await db.updateTable('passkeys').set({ name }).where('id', '=', id).execute()
  return before?.name
}

export async function deletePasskey(db: Reader, userId: UserId, id: string): Promise<boolean> {
  const result = await db.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function deleteAllPasskeys(db: Reader, userId: UserId): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}
