import type { ExpressionBuilder } from 'kysely'
import { z } from 'zod'
import type { QuarantineEnd, SweepDays } from '#domain/uploads/quarantine.ts'
import type { Reader, Tables, Transaction } from '#server/platform/database/database.ts'
import { readWorkspaceValue, storeWorkspaceValue } from '#server/platform/database/workspace-values.ts'

const OUT_OF_QUARANTINE = { quarantined_at: null, quarantine_day: null } as const

/** Claims a blob before use; false while it is being removed. */
export async function claimBlob(
  { db }: Transaction,
  { hash, bytes, at }: { readonly hash: string; readonly bytes: number; readonly at: string },
): Promise<boolean> {
  const claimed = await db
    .insertInto('blobs')
    .values({ hash, bytes, used_at: at, going_at: null, ...OUT_OF_QUARANTINE })
    .onConflict((conflict) =>
      conflict
        .column('hash')
        .doUpdateSet({ used_at: at, ...OUT_OF_QUARANTINE })
        .where('blobs.going_at', 'is', null),
    )
    .returning('hash')
    .execute()
  return claimed.length > 0
}

/** Confirms a claimed blob in the transaction that references it; false if it was removed in the meantime. */
export async function confirmBlob({ db }: Transaction, hash: string, at: string): Promise<boolean> {
  const kept = await db
    .updateTable('blobs')
    .set({ used_at: at, ...OUT_OF_QUARANTINE })
    .where('hash', '=', hash)
    .where('going_at', 'is', null)
    .returning('hash')
    .execute()
  return kept.length > 0
}

type Blobs = ExpressionBuilder<Tables, 'blobs'>

const isReferenced = (eb: Blobs) =>
  eb.exists(eb.selectFrom('assets').select('assets.id').whereRef('assets.hash', '=', 'blobs.hash'))

const isQuarantineOver = (eb: Blobs, { since, day }: QuarantineEnd) =>
  eb.and([eb('quarantined_at', '<=', since), eb('quarantine_day', '<=', day), eb.not(isReferenced(eb))])

/** Unreferenced blobs published before `before`, ordered by hash, for paging. */
export async function unusedBlobs(
  db: Reader,
  { after, limit, usedBefore }: { readonly after: string; readonly limit: number; readonly usedBefore: string },
): Promise<string[]> {
  const found = await db
    .selectFrom('blobs')
    .select('hash')
    .where('hash', '>', after)
    .where('quarantined_at', 'is', null)
    .where('used_at', '<=', usedBefore)
    .where((eb) => eb.not(isReferenced(eb)))
    .orderBy('hash')
    .limit(limit)
    .execute()
  return found.map(({ hash }) => hash)
}

/** Quarantines those of the given blobs that are unreferenced; returns their number. */
export async function quarantineBlobs(
  { db }: Transaction,
  hashes: readonly string[],
  { at, day, usedBefore }: { readonly at: string; readonly day: number; readonly usedBefore: string },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('blobs')
    .set({ quarantined_at: at, quarantine_day: day })
    .where('hash', 'in', hashes)
    .where('quarantined_at', 'is', null)
    .where('used_at', '<=', usedBefore)
    .where((eb) => eb.not(isReferenced(eb)))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function releaseAllBlobs({ db }: Transaction): Promise<void> {
  await db.updateTable('blobs').set(OUT_OF_QUARANTINE).where('quarantined_at', 'is not', null).execute()
}

export async function releaseBlobs({ db }: Transaction): Promise<void> {
  await db
    .updateTable('blobs')
    .set(OUT_OF_QUARANTINE)
    .where('quarantined_at', 'is not', null)
    .where(isReferenced)
    .execute()
}

export async function quarantinedBytes(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('blobs')
    .select(({ fn }) => fn.sum('bytes').as('sum'))
    .where('quarantined_at', 'is not', null)
    .executeTakeFirst()
  return Number(row?.sum ?? 0)
}

/** Counts and sizes of known, quarantined and removable blobs. */
export type BlobCounts = {
  readonly known: number
  readonly quarantined: number
  readonly quarantinedBytes: number
  readonly due: number
  readonly dueBytes: number
}

export async function countBlobs(db: Reader, end: QuarantineEnd): Promise<BlobCounts> {
  const quarantined = db.selectFrom('blobs').where('quarantined_at', 'is not', null)
  const due = quarantined.where((eb) => isQuarantineOver(eb, end))
  const row = await db
    .selectNoFrom([
      db
        .selectFrom('blobs')
        .select((eb) => eb.fn.countAll().as('count'))
        .as('known'),
      quarantined.select((eb) => eb.fn.countAll().as('count')).as('quarantined'),
      quarantined.select((eb) => eb.fn.sum('bytes').as('sum')).as('quarantined_bytes'),
      due.select((eb) => eb.fn.countAll().as('count')).as('due'),
      due.select((eb) => eb.fn.sum('bytes').as('sum')).as('due_bytes'),
    ])
    .executeTakeFirstOrThrow()
  return {
    known: Number(row.known),
    quarantined: Number(row.quarantined),
    quarantinedBytes: Number(row.quarantined_bytes ?? 0),
    due: Number(row.due),
    dueBytes: Number(row.due_bytes ?? 0),
  }
}

/** A blob is removable if its quarantine has ended and no other process has started removing it since `begunBefore`. */
export type Deadline = { readonly end: QuarantineEnd; readonly begunBefore: string }

const isFree = (eb: Blobs, { begunBefore }: Deadline) =>
  eb.or([eb('going_at', 'is', null), eb('going_at', '<=', begunBefore)])

export type RemovableBlob = { readonly hash: string; readonly bytes: number }

/** Ordered by hash, for paging. */
export async function removableBlobs(
  db: Reader,
  { after, limit, ...deadline }: Deadline & { readonly after: string; readonly limit: number },
): Promise<RemovableBlob[]> {
  const found = await db
    .selectFrom('blobs')
    .select(['hash', 'bytes'])
    .where('hash', '>', after)
    .where('quarantined_at', 'is not', null)
    .where((eb) => isQuarantineOver(eb, deadline.end))
    .where((eb) => isFree(eb, deadline))
    .orderBy('hash')
    .limit(limit)
    .execute()
  return found.map(({ hash, bytes }) => ({ hash, bytes: Number(bytes) }))
}

/** Marks a blob as being removed since `at`; false if it must be kept. */
export async function markBlobForRemoval(
  { db }: Transaction,
  hash: string,
  at: string,
  deadline: Deadline,
): Promise<boolean> {
  const condemned = await db
    .updateTable('blobs')
    .set({ going_at: at })
    .where('hash', '=', hash)
    .where((eb) => isQuarantineOver(eb, deadline.end))
    .where((eb) => isFree(eb, deadline))
    .where((eb) => eb.not(eb.exists(retainedUntil(eb).where('value', '>', at))))
    .returning('hash')
    .execute()
  return condemned.length > 0
}

/** Name of the `workspace` row with the time before which no blob may be removed. */
const RETAINED_UNTIL = 'blobs-held-until'

const retainedUntil = (eb: Blobs) =>
  eb.selectFrom('workspace').select('name').where('workspace.name', '=', RETAINED_UNTIL)

/** Prevents blob removal until the given time; never shortens a longer hold set by another process. */
export async function retainBlobs({ db }: Transaction, until: string): Promise<void> {
  await db
    .insertInto('workspace')
    .values({ name: RETAINED_UNTIL, value: until })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: until }).where('workspace.value', '<', until),
    )
    .execute()
}

/** Deletes the row of a blob whose removal started at `at`. */
export async function deleteBlobRow({ db }: Transaction, hash: string, at: string): Promise<void> {
  await db.deleteFrom('blobs').where('hash', '=', hash).where('going_at', '=', at).execute()
}

/** Cancels removal and quarantine of a blob that couldn't be deleted from storage. */
export async function spareBlob({ db }: Transaction, hash: string, at: string): Promise<void> {
  await db
    .updateTable('blobs')
    .set({ going_at: null, ...OUT_OF_QUARANTINE })
    .where('hash', '=', hash)
    .where('going_at', '=', at)
    .execute()
}

/** Name of the `workspace` row that counts cleanup days. */
const SWEEP_DAYS = 'sweep-days'

const sweepDays = z.object({ count: z.int(), last: z.iso.date(), mark: z.string(), markBefore: z.string() })

/** Undefined before the first cleanup. */
export async function findSweepDays(db: Reader): Promise<SweepDays | undefined> {
  const value = await readWorkspaceValue(db, SWEEP_DAYS)
  return value === undefined ? undefined : sweepDays.parse(JSON.parse(value))
}

export const storeSweepDays = ({ db }: Transaction, days: SweepDays): Promise<void> =>
  storeWorkspaceValue(db, SWEEP_DAYS, JSON.stringify(days))

/** Both databases limit the number of parameters per statement. */
const IDS_PER_STATEMENT = 500

export async function openUploadIds(db: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT) {
    const some = ids.slice(at, at + IDS_PER_STATEMENT)
    const rows = await db
      .selectFrom('uploads')
      .select('id')
      .where('id', 'in', some)
      .where('state', '=', 'open')
      .execute()
    for (const { id } of rows) found.add(id)
  }
  return found
}

/** Uploads that received all bytes but weren't completed because the server stopped. */
export async function completeUploadIds(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where('state', '=', 'open')
    .whereRef('committed', '=', 'size')
    .execute()
  return rows.map(({ id }) => id)
}

/** Expired uploads no longer accept requests. */
export async function expiredUploadIds(db: Reader, at: string): Promise<string[]> {
  const rows = await db.selectFrom('uploads').select('id').where('expires_at', '<=', at).execute()
  return rows.map(({ id }) => id)
}

/** Deletes an upload only if it is still expired; the client may have resumed it. */
export async function deleteExpiredUpload({ db }: Transaction, id: string, at: string): Promise<void> {
  await db.deleteFrom('uploads').where('id', '=', id).where('expires_at', '<=', at).execute()
}

/** Keeps the files of records in the trash, which expire with their record. */
export async function deleteExpiredAssets({ db }: Transaction, at: string): Promise<void> {
  await db
    .deleteFrom('assets')
    .where('record_id', 'is', null)
    .where('expires_at', '<=', at)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('trash').select('trash.record_id').whereRef('trash.record_id', '=', 'assets.taken_out_of'),
        ),
      ),
    )
    .execute()
}
