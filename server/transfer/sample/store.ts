import type { Runner } from '#domain/imports/abandoned-runner.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'

/** How far the sample workspace is, kept so that a program that was killed leaves nothing half-done. */
export type StoredSample = {
  readonly state: 'running' | 'done' | 'failed'
  readonly runner: Runner
  readonly startedAt: string
  /** The collections made so far: they go away again if the sample fails. */
  readonly collections: readonly CollectionId[]
  /** The imports of its files. */
  readonly imports: readonly string[]
  readonly recordsInAll: number
  readonly failure: string | null
}

const NAME = 'sample'

/** What is known of the sample; undefined when nobody ever asked for it. */
export async function findSample(db: Reader): Promise<StoredSample | undefined> {
  const row = await db.selectFrom('workspace').select('value').where('name', '=', NAME).executeTakeFirst()
  return row && JSON.parse(row.value)
}

/** Writes down how far the sample is. */
export async function saveSample({ db }: Transaction, sample: StoredSample): Promise<void> {
  const value = JSON.stringify(sample)
  await db
    .insertInto('workspace')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
