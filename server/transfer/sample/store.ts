import type { Runner } from '#domain/imports/abandoned-runner.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { readWorkspaceValue, storeWorkspaceValue } from '#server/platform/database/workspace-values.ts'
import type { ImportRouteDeps } from '#server/transfer/imports/import-deps.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'

/** Stored so that a sample left unfinished by a crash can be removed. */
export type StoredSample = {
  readonly state: 'running' | 'done' | 'failed'
  readonly runner: Runner
  readonly startedAt: string
  /** Deleted if loading the sample fails. */
  readonly collections: readonly CollectionId[]
  readonly imports: readonly string[]
  readonly recordsInAll: number
  readonly failure: string | null
}

const NAME = 'sample'

/** Undefined if the sample was never requested. */
export async function findSample(db: Reader): Promise<StoredSample | undefined> {
  const value = await readWorkspaceValue(db, NAME)
  return value === undefined ? undefined : JSON.parse(value)
}

export const saveSample = ({ db }: Transaction, sample: StoredSample): Promise<void> =>
  storeWorkspaceValue(db, NAME, JSON.stringify(sample))

export type SampleDeps = ImportRouteDeps & UploadDeps
