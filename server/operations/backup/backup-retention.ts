import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '#server/platform/storage/disk/file-system.ts'
import { type Manifest, readManifest } from './manifest.ts'

export const backupsIn = (dataFolder: string): string => join(dataFolder, 'backups')

/** Name prefix: created manually or before an upgrade. */
export type BackupKind = 'dossier' | 'before-upgrade'

/** The name sorts chronologically and is valid on every file system. */
export const backupName = (kind: BackupKind, at: Date): string =>
  `${kind}-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`

const NAME = /^(dossier|before-upgrade)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(\.\d+\.unfinished)?$/

const UNFINISHED = '.unfinished'

/** An unfinished backup counts as abandoned after this time. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000

export type WrittenBackup = { readonly name: string; readonly manifest: Manifest }

/** Number of backups of this kind to keep, including the new one. */
export type Retention = {
  readonly count: number
  readonly now: Date
  /** Counts only backups with the same last migration. */
  readonly sameStep?: boolean
}

/**
 * Deletes older backups of the same kind and workspace, and abandoned backups. Incomplete backups are neither counted
 * nor deleted. Deletes nothing if the new backup lacks file contents, because an older backup may have the only copy.
 */
export async function deleteOldBackups(
  folder: string,
  { name, manifest }: WrittenBackup,
  keeping: Retention,
): Promise<void> {
  const kind = NAME.exec(name)?.[1]
  const found = (await readdir(folder)).filter((each) => NAME.exec(each)?.[1] === kind)
  const brokenOff = await abandonedAmong(folder, found, keeping.now)
  const older = manifest.blobs.lost.length > 0 ? [] : await olderThan(folder, found, { name, manifest }, keeping)
  // Renamed first, so that a partly deleted backup never has the name of a complete one.
  for (const each of older) {
    const half = join(folder, `${each}.${process.pid}${UNFINISHED}`)
    await rename(join(folder, each), half)
    await syncFolder(folder)
    await rm(half, { recursive: true, force: true })
  }
  for (const each of brokenOff) await rm(join(folder, each), { recursive: true, force: true })
}

async function olderThan(
  folder: string,
  found: readonly string[],
  { name, manifest }: WrittenBackup,
  { count, sameStep = false }: Retention,
): Promise<readonly string[]> {
  const others: WrittenBackup[] = []
  for (const each of found.filter((other) => other !== name && !other.endsWith(UNFINISHED))) {
    const read = await readManifest(join(folder, each)).then(undefined, () => undefined)
    if (read === undefined || read.workspace !== manifest.workspace) continue
    if (!sameStep || read.migration === manifest.migration) others.push({ name: each, manifest: read })
  }
  others.sort((one, other) => (one.manifest.at < other.manifest.at ? 1 : -1))
  return others.slice(count - 1).map((other) => other.name)
}

async function abandonedAmong(folder: string, found: readonly string[], now: Date): Promise<readonly string[]> {
  const halves = await Promise.all(
    found
      .filter((name) => name.endsWith(UNFINISHED))
      .map(async (name) => ({ name, touchedAt: (await stat(join(folder, name))).mtime })),
  )
  const isBrokenOff = ({ touchedAt }: { touchedAt: Date }): boolean =>
    now.getTime() - touchedAt.getTime() > ABANDONED_AFTER_MS
  return halves.filter(isBrokenOff).map(({ name }) => name)
}
