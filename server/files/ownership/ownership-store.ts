import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { readWorkspaceValue } from '#server/platform/database/workspace-values.ts'

/** Name of the `workspace` row with the workspace ID. */
const WORKSPACE_ID = 'workspace-id'

export const findWorkspaceId = (db: Reader): Promise<string | undefined> => readWorkspaceValue(db, WORKSPACE_ID)

/** Stores an ID if none is stored; returns the stored ID. */
export async function claimWorkspaceId({ db }: Transaction, id: string): Promise<string> {
  await db
    .insertInto('workspace')
    .values({ name: WORKSPACE_ID, value: id })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await findWorkspaceId(db)) ?? id
}

export async function someFiles(db: Reader, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('assets').select('hash').distinct().orderBy('hash').limit(limit).execute()
  return rows.map(({ hash }) => hash)
}

/** The number of hashes must not exceed the maximum number of parameters per statement. */
export async function knownBlobs(db: Reader, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await db.selectFrom('blobs').select('hash').where('hash', 'in', hashes).execute()
  return new Set(rows.map(({ hash }) => hash))
}

export async function countUploads(db: Reader, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const rows = await db.selectFrom('uploads').select('id').where('id', 'in', ids).execute()
  return rows.length
}
