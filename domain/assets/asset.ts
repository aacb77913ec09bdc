import type { CollectionId, FieldId, RecordId, UserId } from '../shared/ids.ts'

/** A finished file. Its bytes never change, are named by their hash and can be shared with other files. */
export type Asset = {
  readonly id: string
  /** null: the system. */
  readonly userId: UserId | null
  /** SHA-256, in hex. */
  readonly hash: string
  readonly name: string
  /** Detected from the content. */
  readonly type: string
  readonly bytes: number
  /** In pixels after rotation; null for files without thumbnails. */
  readonly width: number | null
  readonly height: number | null
  readonly collection: CollectionId
  readonly field: FieldId
  readonly record: RecordId | null
}
