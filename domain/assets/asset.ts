import type { CollectionId, FieldId, RecordId, UserId } from '../shared/ids.ts'

/** A finished file. Its bytes never change; they are named by their hash and may be shared with other files. */
export type Asset = {
  readonly id: string
  /** Who uploaded it; null for the program itself. */
  readonly userId: UserId | null
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
  readonly name: string
  /** As settled by the bytes. */
  readonly type: string
  readonly bytes: number
  /** In pixels, as people see the picture; null when it is none we can make smaller. */
  readonly width: number | null
  readonly height: number | null
  readonly collection: CollectionId
  readonly field: FieldId
  /** The record that holds it; null until it is attached. */
  readonly record: RecordId | null
}

/** Types a browser may show by itself; everything else is only ever downloaded. */
const SHOWN_INLINE: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'audio/flac',
  'audio/aac',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'application/pdf',
])

/** Whether a browser may show files of this type; a drawing or a page could run scripts, so they are not among them. */
export const isShownInline = (type: string): boolean => SHOWN_INLINE.has(type)
