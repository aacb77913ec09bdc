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
