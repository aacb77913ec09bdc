import { z } from 'zod'
import { PROVIDER_PURPOSES } from '#api/providers.ts'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'

export type ProviderPurpose = (typeof PROVIDER_PURPOSES)[number]

/** A pending provider sign-in. The ID is a hash, and no secret is stored. */
export type ProviderTransaction = {
  readonly id: string
  readonly provider: string
  readonly purpose: ProviderPurpose
  readonly returnTo: string | null
  readonly isRemembered: boolean
  readonly userId: UserId | null
  readonly sessionId: SessionId | null
  readonly endsAt: Date
}

const KIND = 'provider'

const dataSchema = z.object({
  provider: z.string(),
  purpose: z.enum(PROVIDER_PURPOSES),
  returnTo: z.string().nullable(),
  isRemembered: z.boolean().default(true),
})

export async function insertTransaction(db: Reader, transaction: ProviderTransaction, now: Date): Promise<void> {
  const { id, provider, purpose, returnTo, isRemembered, userId, sessionId, endsAt } = transaction
  await db.deleteFrom('challenges').where('expires_at', '<', now.toISOString()).execute()
  await db
    .insertInto('challenges')
    .values({
      id,
      kind: KIND,
      user_id: userId,
      session_id: sessionId,
      data: JSON.stringify({ provider, purpose, returnTo, isRemembered }),
      tries: 0,
      expires_at: endsAt.toISOString(),
    })
    .execute()
}

export async function findTransaction(db: Reader, id: string, now: Date): Promise<ProviderTransaction | undefined> {
  const row = await db
    .selectFrom('challenges')
    .select(['id', 'user_id', 'session_id', 'data', 'expires_at'])
    .where('id', '=', id)
    .where('kind', '=', KIND)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { user_id: userId, session_id: sessionId, data, expires_at: endsAt } = row
  return { id, userId, sessionId, endsAt: new Date(endsAt), ...dataSchema.parse(JSON.parse(data)) }
}

export async function consumeTransaction(db: Reader, id: string): Promise<boolean> {
  const result = await db.deleteFrom('challenges').where('id', '=', id).where('kind', '=', KIND).executeTakeFirst()
  return result.numDeletedRows > 0n
}

export type IdentityKey = { readonly issuer: string; readonly subject: string }

export type LinkedUser = { readonly id: UserId; readonly isDisabled: boolean }

export async function findLinkedUser(db: Reader, { issuer, subject }: IdentityKey): Promise<LinkedUser | undefined> {
  const row = await db
    .selectFrom('provider_identities')
    .innerJoin('users', 'users.id', 'provider_identities.user_id')
    .select(['users.id', 'users.disabled_at'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row && { id: row.id, isDisabled: row.disabled_at !== null }
}

/** Links an identity; returns false if it is already linked to a user. */
export async function insertIdentity(
  db: Reader,
  key: IdentityKey,
  link: { readonly userId: UserId; readonly provider: string; readonly now: Date },
): Promise<boolean> {
  const result = await db
    .insertInto('provider_identities')
    .values({
      issuer: key.issuer,
      subject: key.subject,
      user_id: link.userId,
      provider: link.provider,
      created_at: link.now.toISOString(),
    })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function deleteIdentities(db: Reader, userId: UserId, provider: string): Promise<boolean> {
  const result = await db
    .deleteFrom('provider_identities')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function listIdentities(
  db: Reader,
  userId: UserId,
): Promise<{ readonly provider: string; readonly linkedAt: string }[]> {
  const rows = await db
    .selectFrom('provider_identities')
    .select(['provider', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({ provider: row.provider, linkedAt: row.created_at }))
}

export async function findInvited(db: Reader, emailFold: string, now: Date): Promise<UserId | undefined> {
  const row = await db
    .selectFrom('users')
    .innerJoin('single_use_codes', 'single_use_codes.user_id', 'users.id')
    .select('users.id')
    .where('email_fold', '=', emailFold)
    .where('invited_at', 'is not', null)
    .where('disabled_at', 'is', null)
    .where('purpose', '=', 'invitation')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export async function consumeInvitation(db: Reader, userId: UserId, now: Date): Promise<boolean> {
  const came = await db
    .updateTable('users')
    .set({ invited_at: null })
    .where('id', '=', userId)
    .where('invited_at', 'is not', null)
    .executeTakeFirst()
  await db
    .updateTable('single_use_codes')
    .set({ used_at: now.toISOString() })
    .where('user_id', '=', userId)
    .where('purpose', '=', 'invitation')
    .where('used_at', 'is', null)
    .execute()
  return came.numUpdatedRows > 0n
}
