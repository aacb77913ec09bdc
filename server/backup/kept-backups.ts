import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '#server/storage/folders.ts'

/** Where backups are kept if nobody names another place. */
export const backupsIn = (dataFolder: string): string => join(dataFolder, 'backups')

/** What the name of a backup begins with: taken by a person, or before the tables were brought up to date. */
export type BackupKind = 'dossier' | 'before-upgrade'

/** A name that sorts by time, and that every disk takes. */
export const backupName = (kind: BackupKind, at: Date): string =>
  `${kind}-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`

const NAME = /^(dossier|before-upgrade)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(\.\d+\.unfinished)?$/

/** How long what is unfinished is taken for a backup that is being written, in ms. */
const BROKEN_OFF_AFTER_MS = 24 * 60 * 60 * 1000

/** Removes all but the newest backups of a kind, and what was broken off long ago. Nothing else in the folder is touched. */
export async function keepNewest(folder: string, kind: BackupKind, kept: number, now: Date): Promise<void> {
  await makeFolder(folder)
  const found = (await readdir(folder)).filter((name) => NAME.exec(name)?.[1] === kind).sort()
  const whole = found.filter((name) => !name.endsWith('.unfinished'))
  const halves = await Promise.all(
    found
      .filter((name) => name.endsWith('.unfinished'))
      .map(async (name) => ({ name, touchedAt: (await stat(join(folder, name))).mtime })),
  )
  const brokenOff = halves.filter(({ touchedAt }) => now.getTime() - touchedAt.getTime() > BROKEN_OFF_AFTER_MS)
  const going = [...whole.slice(0, Math.max(0, whole.length - kept)), ...brokenOff.map(({ name }) => name)]
  for (const name of going) await rm(join(folder, name), { recursive: true, force: true })
}
