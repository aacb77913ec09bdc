import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'

/** What a check may look at; it changes nothing. */
export type CheckContext = {
  readonly database: Database
  readonly definitions: Definitions
  readonly blobs: BlobStorage
  readonly now: Date
}

/** One thing that `doctor` looks after. */
export type Check = {
  /** In few words, what is well when nothing is found. */
  readonly name: string
  /** Whether what it finds ends by itself with the next start, and is no fault of a picture of one moment. */
  readonly endsByItself?: true
  /** Whether what it finds is worth knowing and no fault. */
  readonly isNote?: true
  /** Answers one sentence for each thing that is not as it should be. */
  readonly run: (patient: CheckContext) => Promise<readonly string[]>
}

/** Most findings of one check that are told one by one: more would bury the others. */
export const MAX_FINDINGS = 20
