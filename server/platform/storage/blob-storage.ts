import type { Readable } from 'node:stream'

export type StorageMetadata = {
  readonly read: () => Promise<string | undefined>
  readonly claim: (text: string) => Promise<string | undefined>
  readonly replace: (text: string) => Promise<void>
}

type StorageMetadataFiles = {
  readonly identity: StorageMetadata
  /** Set by the last sweep; a different value means that another database also runs sweeps. */
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

/** Bytes from `start` to `end`, both included, counted from 0. */
export type ByteRange = { readonly start: number; readonly end: number }

export type StoredBlob = {
  readonly bytes: number
  /** The stream must be fully read or destroyed. */
  readonly read: (range?: ByteRange) => Readable
}

export type ListedBlob = { readonly hash: string; readonly bytes: number; readonly storedAt: Date }

/**
 * Storage of finished files, each under the SHA-256 of its bytes. The database determines which are needed. An
 * unreachable storage throws a `storage-away` Problem after a few attempts.
 */
export type BlobStorage = StorageMetadataFiles & {
  /** Stores a local file under its hash, durably and atomically. An existing blob is kept. The local file is kept. */
  readonly publish: (path: string, hash: string) => Promise<void>
  readonly open: (hash: string) => Promise<StoredBlob | undefined>
  readonly pathOf: (hash: string) => string | undefined
  /** Removes a blob if present; false when the storage retains it. */
  readonly remove: (hash: string) => Promise<boolean>
  readonly list: () => AsyncIterable<ListedBlob>
  readonly removeHalves: (before: Date) => Promise<void>
  readonly check: () => Promise<void>
}

export const HASH_PATTERN = /^[0-9a-f]{64}$/
