import type { CollectionId, FieldId, RecordId, UserId } from '../shared/ids.ts'
import { truncateFileName } from './truncate-file-name.ts'

/** The field a file is sent to, and the record when there is one already. */
export type UploadTarget = {
  readonly collection: CollectionId
  readonly field: FieldId
  readonly record: RecordId | null
}

/** What is known of a file before its bytes: all of it said by the sender, none of it proven. */
export type DeclaredFile = {
  readonly name: string
  /** MIME type in lower case without parameters; empty when none was said. */
  readonly type: string
  readonly bytes: number
}

/** `open` takes bytes, `ready` has become a file, `failed` was refused by what its bytes turned out to be. */
export type UploadState = 'open' | 'ready' | 'failed'

/** A file on its way: its id is the id of the file for good. */
export type Upload = {
  readonly id: string
  readonly userId: UserId
  readonly target: UploadTarget
  readonly file: DeclaredFile
  /** Bytes that are safe on disk; what anybody who asks is told, and what never goes down. */
  readonly committed: number
  /** What its first bytes look like; null before they are there. */
  readonly sniffedType: string | null
  readonly state: UploadState
  /** ISO 8601 in UTC, as `expiresAt`. */
  readonly createdAt: string
  readonly expiresAt: string
}

/**
 * Largest file of a field whose owner set no limit, in bytes. 5 GB is the most that S3-compatible storages take in
 * one piece.
 */
export const DEFAULT_MAX_BYTES = 5_000_000_000

/** Uploads one user may have unfinished at a time. A browser sends two at a time per tab, whatever number is dropped. */
export const MAX_OPEN_UPLOADS = 200

/** Longest name of a file, in characters: what most file systems take. Those that count bytes have browsers cut it once more. */
const MAX_NAME_LENGTH = 255

/** What a file is called when its sender did not say. */
export const DEFAULT_FILE_NAME = 'file'

/** A name that can be shown and saved anywhere: without folders, control characters and direction marks. */
export function cleanFileName(given: string): string {
  const last = given.split(/[\\/]/).findLast((part) => part.trim() !== '') ?? ''
  const name = last
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
  return truncateFileName(name, { characters: MAX_NAME_LENGTH }) || DEFAULT_FILE_NAME
}

/** A MIME type as we compare it: lower case, without parameters; empty when it is none. */
export function cleanType(given: string): string {
  const type = given.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : ''
}

/** How long an unfinished upload waits for its next bytes, and a finished file for a record, in ms (contract). */
export const UPLOAD_LIFETIME_MS = 24 * 60 * 60 * 1000

/** When an upload that was touched at `at` dies, ISO 8601 in UTC. */
export const expiryFrom = (at: Date): string => new Date(at.getTime() + UPLOAD_LIFETIME_MS).toISOString()

/** How long an upload may take in all, in ms: one that gets a byte a day must not hold its room forever. */
const MAX_UPLOAD_MS = 7 * UPLOAD_LIFETIME_MS

/** When an open upload that received bytes at `at` expires. */
export const renewedExpiry = ({ createdAt }: { readonly createdAt: string }, at: Date): string =>
  expiryFrom(new Date(Math.min(at.getTime(), Date.parse(createdAt) + MAX_UPLOAD_MS - UPLOAD_LIFETIME_MS)))

/** Whether it is dead by now. */
export const isExpired = ({ expiresAt }: { readonly expiresAt: string }, now: Date): boolean =>
  now.getTime() >= Date.parse(expiresAt)

/** Bytes that want in. */
export type Chunk = {
  /** Where in the file its first byte belongs. */
  readonly offset: number
  /** How many bytes it says it has; undefined when its sender does not know yet. */
  readonly bytes: number | undefined
  /**
   * tus asks that a chunk begin exactly at what is committed (`exact`). FilePond sends a chunk again without asking when
   * only the answer was lost; what is stored already is then taken as said (`repeatable`).
   */
  readonly rule: 'exact' | 'repeatable'
}

/** What to do with a chunk. */
export type ChunkDecision =
  /** Store it at what is committed, leaving out its first `skip` bytes, which are there already. */
  | { readonly type: 'accept'; readonly skip: number }
  | { readonly type: 'already-stored' }
  | { readonly type: 'wrong-offset'; readonly committed: number }
  | { readonly type: 'too-large' }
  /** It expired, or its bytes were refused: no chunk will ever be taken again. */
  | { readonly type: 'gone' }

/** Judges a chunk before a byte of it is read. Whoever asks holds the upload's turn. */
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
