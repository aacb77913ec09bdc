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

export type UploadDeps = {
  readonly config: Pick<Config, 'diskFloorBytes' | 'fetchesUploads'>
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly remote: RemoteClient
  readonly clock: Clock
  readonly newId: IdGenerator
  readonly staging: Staging
  readonly blobs: BlobStorage
  readonly pictures: Thumbnails
  readonly hashes: RunningHashes
  /** One writer at a time per upload. */
  readonly uploadTurns: KeyedMutex
  /** Serializes publishing and removing a blob in this process; its row does so between processes. */
  readonly blobTurns: KeyedMutex
}
