import type { Readable } from 'node:stream'

/** Bytes from `start` up to and with `end`, counted from 0. */
export type ByteRange = { readonly start: number; readonly end: number }

/** A blob that is there. */
export type StoredBlob = {
  readonly bytes: number
  /** Its bytes, or some of them. The stream must be read to its end or destroyed. */
  readonly read: (range?: ByteRange) => Readable
}

/** A blob as the sweep sees it. */
export type ListedBlob = { readonly hash: string; readonly usedAt: Date }

/** Where finished files live, each under the SHA-256 of its bytes. */
export type BlobStorage = {
  /**
   * Puts the bytes of a local file under their hash, durably and at once: nobody ever sees half a blob. What is there
   * already is kept, and only marked as used at `usedAt`. The local file stays.
   */
  readonly publish: (path: string, hash: string, usedAt: Date) => Promise<void>
  readonly open: (hash: string) => Promise<StoredBlob | undefined>
  /** Where the blob lies on this machine, where it does; saves those who can read a file a copy. */
  readonly pathOf: (hash: string) => string | undefined
  /** When a blob was last published, undefined when it is not there. */
  readonly usedAt: (hash: string) => Promise<Date | undefined>
  readonly remove: (hash: string) => Promise<void>
  /** Every blob there is, in no order. */
  readonly list: () => AsyncIterable<ListedBlob>
}

/** What the name of a blob looks like. */
export const HASH_PATTERN = /^[0-9a-f]{64}$/
