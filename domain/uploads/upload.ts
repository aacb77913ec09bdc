import type { CollectionId, FieldId, RecordId, UserId } from '../shared/ids.ts'
import { truncateFileName } from './truncate-file-name.ts'

export type UploadTarget = {
  readonly collection: CollectionId
  readonly field: FieldId
  readonly record: RecordId | null
}

/** Declared by the client and untrusted. */
export type DeclaredFile = {
  readonly name: string
  /** Lowercase MIME type without parameters; empty if not declared. */
  readonly type: string
  readonly bytes: number
}

/** `open`: receiving bytes; `ready`: finished; `failed`: rejected because of its content. */
export type UploadState = 'open' | 'ready' | 'failed'

export type Upload = {
  readonly id: string
  readonly userId: UserId
  readonly target: UploadTarget
  readonly file: DeclaredFile
  /** Number of bytes durably stored; never decreases. */
  readonly committed: number
  /** Detected from the first bytes; null until they are received. */
  readonly sniffedType: string | null
  readonly state: UploadState
  /** ISO 8601 in UTC. */
  readonly createdAt: string
  readonly expiresAt: string
}

/** In bytes; S3-compatible storage accepts at most 5 GB per request. */
export const DEFAULT_MAX_BYTES = 5_000_000_000

/** Maximum open uploads per user; a browser tab sends two at a time. */
export const MAX_OPEN_UPLOADS = 200

/** In characters; the limit of most file systems. Browsers truncate names for file systems that count bytes. */
const MAX_NAME_LENGTH = 255

export const DEFAULT_FILE_NAME = 'file'

/** Removes folders, control characters and bidirectional characters. */
export function cleanFileName(given: string): string {
  const last = given.split(/[\\/]/).findLast((part) => part.trim() !== '') ?? ''
  const name = last
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
  return truncateFileName(name, { characters: MAX_NAME_LENGTH }) || DEFAULT_FILE_NAME
}

/** Normalizes a MIME type: lowercase, without parameters; empty if invalid. */
export function cleanType(given: string): string {
  const type = given.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : ''
}

/**
 * Time in ms during which an unfinished upload can receive data, and a finished file can be attached to a record
 * (specification).
 */
export const UPLOAD_LIFETIME_MS = 24 * 60 * 60 * 1000

/** ISO 8601 in UTC. */
export const expiryFrom = (at: Date): string => new Date(at.getTime() + UPLOAD_LIFETIME_MS).toISOString()

/** Maximum total duration in ms, so that a slow upload can't reserve space forever. */
const MAX_UPLOAD_MS = 7 * UPLOAD_LIFETIME_MS

export const renewedExpiry = ({ createdAt }: { readonly createdAt: string }, at: Date): string =>
  expiryFrom(new Date(Math.min(at.getTime(), Date.parse(createdAt) + MAX_UPLOAD_MS - UPLOAD_LIFETIME_MS)))

export const isExpired = ({ expiresAt }: { readonly expiresAt: string }, now: Date): boolean =>
  now.getTime() >= Date.parse(expiresAt)

export type Chunk = {
  readonly offset: number
  readonly bytes: number | undefined
  /**
   * tus requires chunks to start at the committed offset (`exact`). FilePond resends a chunk if the response was lost,
   * so data that is already stored is accepted again (`repeatable`).
   */
  readonly rule: 'exact' | 'repeatable'
}

export type ChunkDecision =
  /** Append the chunk, except for its first `skip` bytes, which are already stored. */
  | { readonly type: 'accept'; readonly skip: number }
  | { readonly type: 'already-stored' }
  | { readonly type: 'wrong-offset'; readonly committed: number }
  | { readonly type: 'too-large' }
  /** The upload expired or was rejected; no more chunks are accepted. */
  | { readonly type: 'gone' }

/** Decides whether to accept a chunk before reading its data. The caller must hold the upload's lock. */
export function decideChunk(upload: Upload, { offset, bytes, rule }: Chunk, now: Date): ChunkDecision {
  const { committed, state, file } = upload
  if (state === 'failed' || (state === 'open' && isExpired(upload, now))) return { type: 'gone' }
  if (offset > committed) return { type: 'wrong-offset', committed }
  if (bytes !== undefined && offset + bytes > file.bytes) return { type: 'too-large' }
  if (offset === committed) return { type: 'accept', skip: 0 }
  if (rule === 'exact') return { type: 'wrong-offset', committed }
  if (bytes !== undefined && offset + bytes <= committed) return { type: 'already-stored' }
  return { type: 'accept', skip: committed - offset }
}
