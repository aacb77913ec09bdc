import { copyFile, link, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '#domain/shared/time.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { writeSnapshot } from '#server/platform/database/snapshots/snapshot.ts'
import { makeFolder, readIfThere, statIfThere, syncFolder } from '#server/platform/storage/disk/file-system.ts'
import { workspaceIdOf } from '#server/files/ownership/claim-storage.ts'
import { withBlobsRetained } from '#server/files/blobs/remove-blobs.ts'
import { VERSION } from '#server/platform/config/project-root.ts'
import { blobsOf, forEachBlob, partsIn } from './backup-parts.ts'
import { BLOB_LIST, DATABASE_FOLDER, KEY_FILE, type Manifest, MANIFEST_FILE, newManifest } from './manifest.ts'
import { constants } from 'node:fs'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { writeHashed } from '#server/platform/storage/copy-blobs.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'

/** `inside`: blobs are verified and copied. `beside`: blobs are hard-linked on the same disk or left in S3. */
type BlobLocation = 'inside' | 'beside'

type BlobBackup = {
  readonly place: Pick<Config, 'dataFolder' | 's3'>
  readonly are: BlobLocation
  readonly say: (line: string) => void
}

/** Number of blobs between progress lines. */
const PROGRESS_INTERVAL = 1000

/** A missing or damaged blob doesn't stop the backup of the others. */
async function backUpBlobs(folder: string, { place, are, say }: BlobBackup): Promise<Manifest['blobs']> {
  const isLeft = are === 'beside' && place.s3 !== undefined
  const storage = await openStorage(place, (error) => say(String(error)))
  const kept = { count: 0, bytes: 0, lost: new Array<string>() }
  await forEachBlob(folder, async (hash) => {
    kept.count += 1
    const bytes = isLeft ? 0 : await backUpBlob(storage, hash, { to: blobsOf(folder).pathOf(hash) ?? '', are })
    if (bytes === undefined) kept.lost.push(hash)
    else kept.bytes += bytes
    if (kept.count % PROGRESS_INTERVAL === 0) say(`${kept.count} files, ${kept.bytes} bytes …`)
  })
  return { are: isLeft ? 'left' : 'inside', ...kept }
}

type BackedUp = { readonly to: string; readonly are: BlobLocation }

/** Returns the size in bytes; undefined if the blob is missing or damaged. */
async function backUpBlob(storage: BlobStorage, hash: string, { to, are }: BackedUp): Promise<number | undefined> {
  const blob = await storage.open(hash)
  if (blob === undefined) return undefined
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const lies = are === 'beside' ? storage.pathOf(hash) : undefined
  if (lies !== undefined) return linkOrCopy(lies, to)
  if ((await writeHashed(blob.read(), to)) === hash) return blob.bytes
  await rm(to)
  return undefined
}

async function linkOrCopy(from: string, to: string): Promise<number> {
  await link(from, to).then(undefined, () => copyFile(from, to, constants.COPYFILE_FICLONE))
  return (await stat(to)).size
}

export type BackupDeps = {
  readonly place: Pick<Config, 'dataFolder' | 'databaseUrl' | 's3'>
  readonly database: Database
  readonly clock: Clock
  readonly say: (line: string) => void
}

const NEEDED_BLOBS = 'select distinct hash from assets order by hash'

/** Temporary name of a backup in progress, unique per process. */
const unfinished = (folder: string): string => `${folder}.${process.pid}.unfinished`

/**
 * Backs up a running server to a new folder: first a consistent copy of the database, then keys and files. No files are
 * deleted from storage during the backup. The folder gets its final name after everything has been written to disk.
 */
export async function takeBackup(deps: BackupDeps, folder: string, are: BlobLocation): Promise<Manifest> {
  const half = unfinished(folder)
  await rm(half, { recursive: true, force: true })
  await makeFolder(dirname(folder))
  await mkdir(half, { mode: 0o700 })
  const manifest = await withBlobsRetained(deps, () => writeParts(deps, half, are))
  await writeFile(join(half, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  await syncFolder(half)
  // If several servers start on the same folder at the same time, another server may have already created this backup.
  if ((await statIfThere(folder)) === undefined) await rename(half, folder)
  else await rm(half, { recursive: true })
  await syncFolder(dirname(folder))
  return manifest
}

async function writeParts(
  { place, database: opened, clock, say }: BackupDeps,
  folder: string,
  are: BlobLocation,
): Promise<Manifest> {
  const at = clock().toISOString()
  const database = join(folder, DATABASE_FOLDER)
  await mkdir(database, { mode: 0o700 })
  const lists = [{ file: join('..', BLOB_LIST), query: NEEDED_BLOBS }]
  const facts = await writeSnapshot(place, { folder: database, lists, say })
  // The keys are copied after the database, so that they include every key used in it.
  await copySecrets(place.dataFolder, folder)
  const blobs = await backUpBlobs(folder, { place, are, say })
  await syncFolder(database)
  const workspace = await workspaceIdOf(opened)
  return newManifest({ ...facts, workspace, writtenBy: VERSION, at, parts: await partsIn(folder), blobs })
}

async function copySecrets(dataFolder: string, folder: string): Promise<void> {
  const keys = await readIfThere(join(dataFolder, KEY_FILE))
  if (keys !== undefined) await writeFile(join(folder, KEY_FILE), keys, { mode: 0o600, flush: true })
}
