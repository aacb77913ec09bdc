import type { ExpressionBuilder } from 'kysely'
import type { Reader, Tables, Transaction } from '#server/database/database.ts'
import type { ListedBlob } from '#server/storage/blob-storage.ts'

/** Says that somebody is about to need a blob, there or not: false while it is being removed. */
export async function claimBlob(
  { db }: Transaction,
  { hash, bytes, at }: { readonly hash: string; readonly bytes: number; readonly at: string },
): Promise<boolean> {
  const claimed = await db
    .insertInto('blobs')
    .values({ hash, bytes, used_at: at, going_at: null })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ used_at: at }).where('blobs.going_at', 'is', null))
    .returning('hash')
    .execute()
  return claimed.length > 0
}

/** Says that a claimed blob is needed from now on, in the write that says what for: false when it was removed meanwhile. */
export async function keepBlob({ db }: Transaction, hash: string, at: string): Promise<boolean> {
  const kept = await db
    .updateTable('blobs')
    .set({ used_at: at })
    .where('hash', '=', hash)
    .where('going_at', 'is', null)
    .returning('hash')
    .execute()
  return kept.length > 0
}

/** When a blob may go: published before `usedBefore`, or by somebody who began to remove it before `begunBefore`. */
export type Deadline = { readonly usedBefore: string; readonly begunBefore: string }

/** Says that a blob is being removed from `at` on, if no file stands on it: false when it must stay. */
export async function condemnBlob({ db }: Transaction, hash: string, at: string, deadline: Deadline): Promise<boolean> {
  const condemned = await db
    .updateTable('blobs')
    .set({ going_at: at })
    .where('hash', '=', hash)
    .where('used_at', '<=', deadline.usedBefore)
    .where((eb) => eb.or([eb('going_at', 'is', null), eb('going_at', '<=', deadline.begunBefore)]))
    .where((eb) => eb.not(eb.exists(eb.selectFrom('assets').select('id').where('assets.hash', '=', hash))))
    .where((eb) => eb.not(eb.exists(heldUntil(eb).where('value', '>', at))))
    .returning('hash')
    .execute()
  return condemned.length > 0
}

/** The fact of the workspace that says until when no blob may go. */
const HELD_UNTIL = 'blobs-held-until'

const heldUntil = (eb: ExpressionBuilder<Tables, 'blobs'>) =>
  eb.selectFrom('workspace').select('name').where('workspace.name', '=', HELD_UNTIL)

/** Keeps every blob where it is until then; whoever said a later moment is not overruled. */
export async function holdBlobs({ db }: Transaction, until: string): Promise<void> {
  await db
    .insertInto('workspace')
    .values({ name: HELD_UNTIL, value: until })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: until }).where('workspace.value', '<', until),
    )
    .execute()
}

/** Forgets a blob that was removed by whoever began to at `at`. */
export async function buryBlob({ db }: Transaction, hash: string, at: string): Promise<void> {
  await db.deleteFrom('blobs').where('hash', '=', hash).where('going_at', '=', at).execute()
}

/** Takes in blobs that the storage has and no row speaks of. */
export async function adoptBlobs({ db }: Transaction, listed: readonly ListedBlob[]): Promise<void> {
  await db
    .insertInto('blobs')
    .values(
      listed.map(({ hash, bytes, storedAt }) => ({ hash, bytes, used_at: storedAt.toISOString(), going_at: null })),
    )
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute()
}

/** Blobs that may go, in the order of their hashes, behind one of them. */
export async function unusedBlobs(
  db: Reader,
  { after, limit, usedBefore, begunBefore }: Deadline & { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const found = await db
    .selectFrom('blobs')
    .select('hash')
    .where('hash', '>', after)
    .where('used_at', '<=', usedBefore)
    .where((eb) => eb.or([eb('going_at', 'is', null), eb('going_at', '<=', begunBefore)]))
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('assets').select('assets.id').whereRef('assets.hash', '=', 'blobs.hash'))),
    )
    .orderBy('hash')
    .limit(limit)
    .execute()
  return found.map(({ hash }) => hash)
}
