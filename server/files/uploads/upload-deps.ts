import type { Clock } from '#domain/shared/time.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import type { Thumbnails } from '#server/files/images/thumbnails.ts'
import type { DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import type { Staging } from '#server/platform/storage/staging/staging.ts'
import type { RemoteClient } from '#server/files/remote/remote-client.ts'
import type { KeyedMutex } from '#server/platform/concurrency/locks.ts'
import { createLruMap } from '#server/platform/lru-map.ts'
import { type Hash, createHash } from 'node:crypto'

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
  /** Allows one writer per upload. */
  readonly uploadTurns: KeyedMutex
  /** Serializes publishing and removing a blob within this process; the blob's row does so across processes. */
  readonly blobTurns: KeyedMutex
}

/** Running hashes of uploads, so that a large file isn't read again when it is finished. */
export type RunningHashes = {
  /** The hash of the first `offset` bytes; undefined if it isn't in memory. */
  readonly at: (id: string, offset: number) => Hash | undefined
  readonly keep: (id: string, offset: number, hash: Hash) => void
  readonly drop: (id: string) => void
}

/** Uploads without a running hash are read again when they finish. */
const MAX_HASHES = 1000

export function createRunningHashes(): RunningHashes {
  const kept = createLruMap<{ readonly offset: number; readonly hash: Hash }>(MAX_HASHES)
  return {
    at: (id, offset) => {
      if (offset === 0) return createHash('sha256')
      const known = kept.peek(id)
      // Returns a copy, so that an interrupted chunk doesn't change the stored hash.
      return known?.offset === offset ? known.hash.copy() : undefined
    },
    keep: (id, offset, hash) => kept.set(id, { offset, hash }),
    drop: kept.delete,
  }
}
