import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'

export type CheckContext = {
  readonly database: Database
  readonly definitions: Definitions
  readonly blobs: BlobStorage
  readonly now: Date
}

export type Check = {
  /** What is true when nothing is found. */
  readonly name: string
  /** Findings disappear with the next start and are normal in a backup. */
  readonly endsByItself?: true
  /** Findings are information, not errors. */
  readonly isNote?: true
  /** Returns one sentence per finding. */
  readonly run: (patient: CheckContext) => Promise<readonly string[]>
}

/** Further findings of a check are counted only. */
export const MAX_FINDINGS = 20
