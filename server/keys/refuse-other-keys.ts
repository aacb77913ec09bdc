import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { Problem } from '#domain/shared/problem.ts'
import { openKeyRing } from './key-ring.ts'
import { findFirstKey, saveFirstKey } from './store.ts'

/**
 * Refuses a start with other secrets than those of the processes that work on this database: neither would take the tokens of the
 * other. Where none works on it, the secrets were lost or chosen anew, and the start goes on with what there is.
 */
export async function refuseOtherKeys(
  { dataFolder }: Pick<Config, 'dataFolder'>,
  { dialect, hasOthers, write }: Pick<Database, 'dialect' | 'hasOthers' | 'write'>,
): Promise<void> {
  if (dialect === 'sqlite') return
  const { firstId } = openKeyRing(dataFolder)
  const areOthersHere = await hasOthers()
  const isOurs = await write(async (transaction) => {
    const known = await findFirstKey(transaction.db)
    if (known !== undefined && known !== firstId && areOthersHere) return false
    if (known !== firstId) await saveFirstKey(transaction, firstId)
    return true
  })
  if (!isOurs) throw otherKeys(dataFolder)
}

const otherKeys = (dataFolder: string): Problem =>
  new Problem(
    'not-ready',
    `DOSSIER_DATA: another server works on this database with other keys than those in ${dataFolder}. All servers of one database need one folder that they share; nothing was changed.`,
  )
