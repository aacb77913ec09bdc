import type { Readable } from 'node:stream'

/** A short text kept in a storage beside its blobs. */
export type StorageMetadata = {
  /** The text; undefined where none was written. */
  readonly read: () => Promise<string | undefined>
  /** Writes a text unless there is one; answers the one that is there afterwards. */
  readonly claim: (text: string) => Promise<string | undefined>
  /** Writes a text over the one that is there. */
  readonly replace: (text: string) => Promise<void>
}

/** What is kept so, by the name of its file, and of its object in S3. */
type StorageMetadataFiles = {
  /** The id of the workspace that the blobs belong to. */
  readonly identity: StorageMetadata
  /** What the last sweep of the workspace left there: another one means that another database sweeps as well. */
  readonly sweepMark: StorageMetadata
}

/** Makes the notes of a storage from what makes one by its name. */
export const openStorageMetadata = (open: (name: string) => StorageMetadata): StorageMetadataFiles => ({
  identity: open('workspace-id'),
  sweepMark: open('sweep-mark'),
})

/** What a note holds. */
export const printMetadata = (text: string): string => `${text}\n`

/** The text in a note; a blank one holds none. */
export function parseMetadata(note: string | undefined): string | undefined {
  const text = note?.trim() ?? ''
  return text === '' ? undefined : text
}

/** Bytes from `start` up to and with `end`, counted from 0. */
export type ByteRange = { readonly start: number; readonly end: number }

/** A blob that is there. */
export type StoredBlob = {
  readonly bytes: number
  /** Its bytes, or some of them. The stream must be read to its end or destroyed. */
  readonly read: (range?: ByteRange) => Readable
}

/** A blob as the sweep sees it. */
export type ListedBlob = { readonly hash: string; readonly bytes: number; readonly storedAt: Date }

/**
 * Where finished files live, each under the SHA-256 of its bytes. What is needed and what may go is not its business:
 * the database says so. A storage that does not answer says so by a `storage-away` Problem, after a few tries.
 */
export type BlobStorage = StorageMetadataFiles & {
  /**
   * Puts the bytes of a local file under their hash, durably and at once: nobody ever sees half a blob. What is there
   * already is kept. The local file stays.
   */
  readonly publish: (path: string, hash: string) => Promise<void>
  readonly open: (hash: string) => Promise<StoredBlob | undefined>
  /** Where the blob lies on this machine, where it does; saves those who can read a file a copy. */
  readonly pathOf: (hash: string) => string | undefined
  /** Removes a blob, there or not; false where the storage keeps it. */
  readonly remove: (hash: string) => Promise<boolean>
  /** Every blob there is, in no order. */
  readonly list: () => AsyncIterable<ListedBlob>
  /** Removes what publications left behind that began before this time and never ended. */
  readonly removeHalves: (before: Date) => Promise<void>
  /** Asks whether the storage answers. */
  readonly check: () => Promise<void>
}

/** What the name of a blob looks like. */
export const HASH_PATTERN = /^[0-9a-f]{64}$/
