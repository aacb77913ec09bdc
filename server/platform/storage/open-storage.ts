import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import type { BlobStorage } from './blob-storage.ts'
import { openDiskStorage } from './disk/disk-storage.ts'
import { createReadStream } from 'node:fs'
import { openFolderIfThere, statIfThere } from './disk/file-system.ts'

/** What the folders are called that a restore puts aside what it replaces in, and the list of files in each. */
const REPLACED_FOLDER = /^replaced-/
const LIST = 'blobs.txt'

/**
 * A storage that removes no file which a restore put aside with its database: the database in use does not know that one. It
 * can be removed once the folder is gone.
 */
const retainReplacedBlobs = (storage: BlobStorage, dataFolder: string): BlobStorage => ({
  ...storage,
  remove: async (hash) => !(await isReplaced(dataFolder, hash)) && storage.remove(hash),
})

async function isReplaced(dataFolder: string, hash: string): Promise<boolean> {
  for await (const { name } of (await openFolderIfThere(dataFolder)) ?? []) {
    if (!REPLACED_FOLDER.test(name)) continue
    const list = join(dataFolder, name, LIST)
    if ((await statIfThere(list)) !== undefined && (await listContains(list, hash))) return true
  }
  return false
}

/** Whether a file of one hash a line has this one. */
async function listContains(file: string, hash: string): Promise<boolean> {
  let rest = ''
  for await (const part of createReadStream(file, { encoding: 'latin1', highWaterMark: 1024 * 1024 })) {
    const text = rest + String(part)
    if (text.includes(hash)) return true
    rest = text.slice(-hash.length)
  }
  return false
}

type StorageLocation = Pick<Config, 's3' | 'dataFolder'>

/** Where blobs lie that are kept on this machine. */
const blobFolderOf = ({ dataFolder }: StorageLocation): string => join(dataFolder, 'blobs')

/** Where uploads are put together. */
export const stagingFolderOf = ({ dataFolder }: Pick<StorageLocation, 'dataFolder'>): string =>
  join(dataFolder, 'uploads')

/** The storage of these settings. Whoever keeps files on disk never loads what S3 needs. */
export const openStorage = async (place: StorageLocation, report: (error: unknown) => void): Promise<BlobStorage> =>
  retainReplacedBlobs(await openBackend(place, report), place.dataFolder)

async function openBackend(place: StorageLocation, report: (error: unknown) => void): Promise<BlobStorage> {
  if (place.s3 === undefined) return openDiskStorage(blobFolderOf(place))
  const { openS3Storage } = await import('./s3/s3-storage.ts')
  return openS3Storage(place.s3, report)
}

/** Why files cannot be kept where the settings say, in one sentence that names the setting; undefined when they can. */
export async function describeStorageStartError({ s3 }: StorageLocation): Promise<string | undefined> {
  if (s3 === undefined) return undefined
  const { describeS3StartError } = await import('./s3/s3-startup-error.ts')
  return describeS3StartError(s3)
}
