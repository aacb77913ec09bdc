import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import type { BlobStorage } from './blob-storage.ts'
import { openDiskStorage } from './disk/disk-storage.ts'
import { retainReplacedBlobs } from './retain-replaced-blobs.ts'

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
