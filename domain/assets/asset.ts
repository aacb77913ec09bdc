import type { CollectionId, FieldId, RecordId, UserId } from '../shared/ids.ts'

/** Completely uploaded file. Content is immutable, addressed by hash and can be shared between files. */
export type Asset = {
  readonly id: string
  /** null: the system. */
  readonly userId: UserId | null
  /** SHA-256, in hex. */
  readonly hash: string
  readonly name: string
  /** Detected from the file content. */
  readonly type: string
  readonly bytes: number
  /** Size in pixels after rotation; null for files without thumbnails. */
  readonly width: number | null
  readonly height: number | null
  readonly collection: CollectionId
  readonly field: FieldId
  readonly record: RecordId | null
}
