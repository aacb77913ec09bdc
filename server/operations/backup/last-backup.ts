import { z } from 'zod'
import type { Database } from '#server/platform/database/database.ts'
import { readWorkspaceValue, storeWorkspaceValue } from '#server/platform/database/workspace-values.ts'

const lastBackup = z.object({ at: z.iso.datetime(), folder: z.string() })

export type LastBackup = z.infer<typeof lastBackup>

/** Recorded so that the doctor command can report the backup's age. */
export const recordBackup = ({ write }: Database, backup: LastBackup): Promise<void> =>
  write(({ db }) => storeWorkspaceValue(db, LAST_BACKUP, JSON.stringify(backup)))

const DAY_MS = 24 * 60 * 60 * 1000

/** Describes the last backup's age for operators. */
export async function describeLastBackup({ read }: Database, now: Date): Promise<string> {
  const found = await readWorkspaceValue(read, LAST_BACKUP)
  if (found === undefined) return 'No backup yet. Create one with "npm run dossier -- backup".'
  const { at, folder } = lastBackup.parse(JSON.parse(found))
  const days = Math.floor((now.getTime() - Date.parse(at)) / DAY_MS)
  return `The last backup is ${days === 0 ? 'from today' : days === 1 ? '1 day old' : `${days} days old`}: ${folder}`
}

/** Name of the `workspace` row with the last backup's time and path. */
const LAST_BACKUP = 'last-backup'
