import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import type { BlobStorage } from './blob-storage.ts'
import { openDiskStorage } from './disk-storage.ts'
import { keepPutAside } from './keep-put-aside.ts'

type Place = Pick<Config, 's3' | 'dataFolder'>

/** Where blobs lie that are kept on this machine. */
const blobFolderOf = ({ dataFolder }: Place): string => join(dataFolder, 'blobs')

/** Where uploads are put together. */
export const stagingFolderOf = ({ dataFolder }: Pick<Place, 'dataFolder'>): string => join(dataFolder, 'uploads')

/** The storage of these settings. Whoever keeps files on disk never loads what S3 needs. */
export const openStorage = async (place: Place, report: (error: unknown) => void): Promise<BlobStorage> =>
  keepPutAside(await openPlain(place, report), place.dataFolder)

async function openPlain(place: Place, report: (error: unknown) => void): Promise<BlobStorage> {
  if (place.s3 === undefined) return openDiskStorage(blobFolderOf(place))
  const { openS3Storage } = await import('./s3/s3-storage.ts')
  return openS3Storage(place.s3, report)
}

/** Why files cannot be kept where the settings say, in one sentence that names the setting; undefined when they can. */
export async function storageStartSentence({ s3 }: Place): Promise<string | undefined> {
  if (s3 === undefined) return undefined
  const { s3StartSentence } = await import('./s3/start-sentence.ts')
  return s3StartSentence(s3)
}
