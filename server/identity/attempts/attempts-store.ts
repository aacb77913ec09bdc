import type { Kysely } from 'kysely'
import type { Failures } from '#domain/sessions/login-throttle.ts'
import type { Reader, Tables } from '#server/platform/database/database.ts'

/** `about` is shared by all counts that are reset together. */
export type AttemptKey = { readonly hash: string; readonly about: string }

export async function findFailures(db: Reader, hashes: readonly string[]): Promise<ReadonlyMap<string, Failures>> {
  const rows = await db
    .selectFrom('failed_tries')
    .select(['key_hash', 'count', 'last_at'])
    .where('key_hash', 'in', hashes)
    .execute()
  return new Map(rows.map((row) => [row.key_hash, { count: row.count, lastAtMs: Date.parse(row.last_at) }]))
}

export async function storeFailures(
  db: Kysely<Tables>,
  failures: readonly (Failures & { readonly key: AttemptKey })[],
): Promise<void> {
  await db
    .insertInto('failed_tries')
    .values(
      failures.map(({ key, count, lastAtMs }) => ({
        key_hash: key.hash,
        about_hash: key.about,
        count,
        last_at: new Date(lastAtMs).toISOString(),
      })),
    )
    .onConflict((conflict) =>
      conflict.column('key_hash').doUpdateSet((eb) => ({
        count: eb.ref('excluded.count'),
        last_at: eb.ref('excluded.last_at'),
      })),
    )
    .execute()
}

export async function dropFailures(db: Kysely<Tables>, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom('failed_tries').where('key_hash', 'in', hashes).execute()
}

export async function hasFailuresAbout(db: Reader, about: string): Promise<boolean> {
  const row = await db.selectFrom('failed_tries').select('count').where('about_hash', '=', about).executeTakeFirst()
  return row !== undefined
}

export async function dropFailuresAbout(db: Kysely<Tables>, about: string): Promise<void> {
  await db.deleteFrom('failed_tries').where('about_hash', '=', about).execute()
}

/**
 * Deletes expired counts and, if there are still too many, the lowest ones, so that a flood can't evict an account's
 * high count.
 */
export async function pruneFailures(db: Kysely<Tables>, olderThan: Date, maxRows: number): Promise<void> {
  await db.deleteFrom('failed_tries').where('last_at', '<', olderThan.toISOString()).execute()
  const { rows } = await db
    .selectFrom('failed_tries')
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  const excess = Number(rows) - maxRows
  if (excess <= 0) return
  const min = db.selectFrom('failed_tries').select('key_hash').orderBy('count').orderBy('last_at').limit(excess)
  await db.deleteFrom('failed_tries').where('key_hash', 'in', min).execute()
}
