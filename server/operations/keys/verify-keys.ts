import { Problem } from '#domain/shared/problem.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Database, Reader, Transaction } from '#server/platform/database/database.ts'
import { keyIdsIn } from '#server/platform/crypto/key-file.ts'
import { openKeyRing } from '#server/platform/crypto/key-ring.ts'
import { findRecordedKeyIds, isUsedWithKeys, saveRecordedKeyIds } from './store.ts'

type Folder = Pick<Config, 'dataFolder'>

const RECOVERY_HINT =
  'Restore keys.json from a backup. If it is lost, run "npm run dossier -- keys:reset": this ends all sessions, and authenticator apps must be set up again.'

/** Explains why this folder's keys don't match the database and how to fix the mismatch; undefined if they match. */
export async function findKeyFault({ dataFolder }: Folder, db: Reader): Promise<string | undefined> {
  const present = keyIdsIn(dataFolder)
  if (present === 'unreadable') return `DOSSIER_DATA: keys.json in ${dataFolder} can't be read. ${RECOVERY_HINT}`
  const known = await findRecordedKeyIds(db)
  switch (compareKeyIds({ known, present, isUsed: await isUsedWithKeys(db) })) {
    case 'match':
      return undefined
    case 'missing':
      return `DOSSIER_DATA: keys.json is missing in ${dataFolder}, but this database was used with keys. ${RECOVERY_HINT}`
    case 'replaced': {
      const missing = known.filter((id) => present?.includes(id) !== true).join(', ')
      return `DOSSIER_DATA: keys.json in ${dataFolder} belongs to another database or is an older copy: ${missing} is missing. ${RECOVERY_HINT}`
    }
  }
}

/**
 * Refuses to start without the previous keys. With new keys, sessions and authenticator secrets would be lost, and
 * servers with different keys would reject each other's tokens.
 */
export async function assertSameKeys(
  folder: Folder,
  { hasOthers, read, write }: Pick<Database, 'hasOthers' | 'read' | 'write'>,
): Promise<void> {
  const refuse = async (fault: string): Promise<never> => {
    throw new Problem('not-ready', (await hasOthers()) ? otherServerFault(folder) : `${fault} Nothing was changed.`)
  }
  const before = await findKeyFault(folder, read)
  if (before !== undefined) return refuse(before)
  openKeyRing(folder.dataFolder)
  // Checks again inside the transaction, because another server may have started concurrently with its own keys.
  const fault = await write((transaction) => recordKeyIds(folder, transaction), { alone: 'keys' })
  if (fault !== undefined) await refuse(fault)
}

/** Records the key file's IDs in the database, or returns the mismatch. */
export async function recordKeyIds(folder: Folder, transaction: Transaction): Promise<string | undefined> {
  const fault = await findKeyFault(folder, transaction.db)
  const ids = keyIdsIn(folder.dataFolder)
  if (fault === undefined && Array.isArray(ids)) await saveRecordedKeyIds(transaction, ids)
  return fault
}

const otherServerFault = ({ dataFolder }: Folder): string =>
  `DOSSIER_DATA: another server uses this database with different keys than those in ${dataFolder}. All servers of a database must share one data folder. Nothing was changed.`

/** The IDs of the keys used with a database, and of those in this server's key file. */
export type KeyIds = {
  readonly known: readonly string[]
  /** The IDs in the key file; undefined if there is no file. */
  readonly present: readonly string[] | undefined
  /** Whether the database contains anything created with the keys. */
  readonly isUsed: boolean
}

/**
 * Whether the key file contains all keys used with the database. Additional keys are allowed, because keys are rotated
 * while the server is running.
 */
export function compareKeyIds({ known, present, isUsed }: KeyIds): 'match' | 'missing' | 'replaced' {
  if (present === undefined) return known.length > 0 || isUsed ? 'missing' : 'match'
  return known.every((id) => present.includes(id)) ? 'match' : 'replaced'
}
