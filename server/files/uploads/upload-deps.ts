import type { Clock } from '#domain/shared/clock.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import type { Thumbnails } from '#server/files/images/thumbnails.ts'
import type { DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import type { Staging } from '#server/platform/storage/staging/staging.ts'
import type { RemoteClient } from '#server/files/remote/remote-client.ts'
import type { RunningHashes } from './running-hashes.ts'
import type { KeyedMutex } from '#server/platform/concurrency/keyed-mutex.ts'

/** What the stories of uploads are handed. */
export type UploadDeps = {
  readonly config: Pick<Config, 'diskFloorBytes' | 'fetchesUploads'>
  readonly database: Database
  readonly definitions: DefinitionsCache
  /** The way out to other servers. */
  readonly remote: RemoteClient
  readonly clock: Clock
  readonly newId: IdGenerator
  readonly staging: Staging
  readonly blobs: BlobStorage
  readonly pictures: Thumbnails
  readonly hashes: RunningHashes
  /** One writer at a time for each upload. */
  readonly uploadTurns: KeyedMutex
  /** Publishing a blob and removing it wait for each other here; beside other servers the row of the blob tells who may. */
  readonly blobTurns: KeyedMutex
}
