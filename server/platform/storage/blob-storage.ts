import type { Readable } from 'node:stream'

export type StorageMetadata = {
  readonly read: () => Promise<string | undefined>
  readonly claim: (text: string) => Promise<string | undefined>
  readonly replace: (text: string) => Promise<void>
}

type StorageMetadataFiles = {
  readonly identity: StorageMetadata
  /** Set by the last cleanup; a different value means that another database also runs cleanups on this storage. */
  readonly sweepMark: StorageMetadata
}

export const openStorageMetadata = (open: (name: string) => StorageMetadata): StorageMetadataFiles => ({
  identity: open('workspace-id'),
  sweepMark: open('sweep-mark'),
})

export const printMetadata = (text: string): string => `${text}\n`

export function parseMetadata(note: string | undefined): string | undefined {
  const text = note?.trim() ?? ''
  return text === '' ? undefined : text
}

/** Bytes from `start` to `end`, inclusive and zero-based. */
export type ByteRange = { readonly start: number; readonly end: number }

export type StoredBlob = {
  readonly bytes: number
  /** The caller must read the stream completely or destroy it. */
  readonly read: (range?: ByteRange) => Readable
}

export type ListedBlob = { readonly hash: string; readonly bytes: number; readonly storedAt: Date }

/**
 * Storage for completely uploaded files, each stored under the SHA-256 of its content. The database determines which
 * files are needed. If the storage can't be reached after several attempts, methods throw a `storage-away` Problem.
 */
export type BlobStorage = StorageMetadataFiles & {
  /** Stores a local file under its hash, durably and atomically. Keeps the local file and any existing blob. */
  readonly publish: (path: string, hash: string) => Promise<void>
  readonly open: (hash: string) => Promise<StoredBlob | undefined>
  readonly pathOf: (hash: string) => string | undefined
  /** Removes a blob if it exists; returns false if the blob must be kept. */
  readonly remove: (hash: string) => Promise<boolean>
  readonly list: () => AsyncIterable<ListedBlob>
  readonly removeHalves: (before: Date) => Promise<void>
  readonly check: () => Promise<void>
}

export const HASH_PATTERN = /^[0-9a-f]{64}$/
