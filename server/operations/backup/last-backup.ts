import { z } from 'zod'
import type { Database } from '#server/platform/database/database.ts'
import { findLastBackup, storeLastBackup } from './last-backup-store.ts'

const lastBackup = z.object({ at: z.iso.datetime(), folder: z.string() })

export type LastBackup = z.infer<typeof lastBackup>

/** Recorded so that doctor can report its age. */
export const recordBackup = ({ write }: Database, backup: LastBackup): Promise<void> =>
  write((transaction) => storeLastBackup(transaction, JSON.stringify(backup)))

const DAY_MS = 24 * 60 * 60 * 1000

/** The age of the last backup, for operators. */
export async function describeLastBackup({ read }: Database, now: Date): Promise<string> {
  const found = await findLastBackup(read)
  if (found === undefined) return 'No backup yet. Create one with "npm run dossier -- backup".'
  const { at, folder } = lastBackup.parse(JSON.parse(found))
  const days = Math.floor((now.getTime() - Date.parse(at)) / DAY_MS)
  return `The last backup is ${days === 0 ? 'from today' : days === 1 ? '1 day old' : `${days} days old`}: ${folder}`
}
