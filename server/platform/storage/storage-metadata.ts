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
export type StorageMetadataFiles = {
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
