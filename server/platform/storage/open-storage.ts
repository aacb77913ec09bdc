import { join } from 'node:path'
import type { Config } from '#server/platform/config/config.ts'
import type { BlobStorage } from './blob-storage.ts'
import { openDiskStorage } from './disk/disk-storage.ts'
import { createReadStream } from 'node:fs'
import { openFolderIfThere, statIfThere } from './disk/file-system.ts'

const REPLACED_FOLDER = /^replaced-/
const LIST = 'blobs.txt'

/**
 * Prevents removal of files that belong to a database replaced by a restore, because the current database doesn't
 * reference them. They can be removed after the folder with the replaced data is deleted.
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

const blobFolderOf = ({ dataFolder }: StorageLocation): string => join(dataFolder, 'blobs')

export const stagingFolderOf = ({ dataFolder }: Pick<StorageLocation, 'dataFolder'>): string =>
  join(dataFolder, 'uploads')

/** The S3 code is not loaded when disk storage is used. */
export const openStorage = async (place: StorageLocation, report: (error: unknown) => void): Promise<BlobStorage> =>
  retainReplacedBlobs(await openBackend(place, report), place.dataFolder)

async function openBackend(place: StorageLocation, report: (error: unknown) => void): Promise<BlobStorage> {
  if (place.s3 === undefined) return openDiskStorage(blobFolderOf(place))
  const { openS3Storage } = await import('./s3/s3-storage.ts')
  return openS3Storage(place.s3, report)
}

export async function describeStorageStartError({ s3 }: StorageLocation): Promise<string | undefined> {
  if (s3 === undefined) return undefined
  const { describeS3StartError } = await import('./s3/s3-client.ts')
  return describeS3StartError(s3)
}
