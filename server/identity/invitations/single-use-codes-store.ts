import type { Kysely } from 'kysely'
import type { CodePurpose } from '#domain/sessions/tokens.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { Tables } from '#server/platform/database/database.ts'

type NewCode = {
  readonly hash: string
  readonly purpose: CodePurpose
  readonly userId: UserId
  readonly now: Date
  readonly endsAt: Date
}

/**
 * Stores a new code and expires all older ones for the same user and purpose, so that only the latest email is valid.
 */
export async function replaceCode(db: Kysely<Tables>, code: NewCode): Promise<void> {
  await db
    .deleteFrom('single_use_codes')
    .where('user_id', '=', code.userId)
    .where('purpose', '=', code.purpose)
    .execute()
  await db
    .insertInto('single_use_codes')
    .values({
      hash: code.hash,
      purpose: code.purpose,
      user_id: code.userId,
      created_at: code.now.toISOString(),
      expires_at: code.endsAt.toISOString(),
      used_at: null,
    })
    .execute()
}

export type CodeLookup = { readonly hash: string; readonly purpose: CodePurpose; readonly now: Date }

export async function findCodeUser(
  db: Kysely<Tables>,
  { hash, purpose, now }: CodeLookup,
): Promise<UserId | undefined> {
  const row = await db
    .selectFrom('single_use_codes')
    .select('user_id')
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return row?.user_id
}

/** Consumes a code; only one of several concurrent calls succeeds. */
export async function consumeCode(db: Kysely<Tables>, { hash, purpose, now }: CodeLookup): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('single_use_codes')
    .set({ used_at: now.toISOString() })
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function endCodes(db: Kysely<Tables>, userId: UserId, now: Date): Promise<void> {
  await db
    .updateTable('single_use_codes')
    .set({ used_at: now.toISOString() })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
}
