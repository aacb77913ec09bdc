import type { ImportPreview } from '#api/imports.ts'
import type { FileFormat } from '#domain/imports/detect-format.ts'
import type { RunningImport } from '#domain/imports/abandoned-runner.ts'
import type { CollectionId, FieldId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { RowError } from '#domain/imports/row-issues.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { RowPlan } from '#domain/imports/row-to-values.ts'
import type { ImportRows } from '#server/query/sql/sql-context.ts'

/** `undoing`: failed or canceled, and its rows are being removed. */
export type ImportState = 'ready' | 'running' | 'undoing' | 'done' | 'failed' | 'cancelled'

export type ImportCounts = {
  readonly bytesRead: number
  readonly rowsRead: number
  readonly rowsStored: number
  /** Number of updated records, which is included in `rowsStored`. */
  readonly rowsUpdated: number
  readonly rowsRefused: number
  /** The first errors; the error file contains all of them. */
  readonly errors: readonly RowError[]
}

/** Includes the data needed to undo the import. */
export type ImportProgress = ImportCounts &
  RunningImport & {
    /** Fields added to an existing collection. */
    readonly madeFields: readonly FieldId[]
    /** The creation time of the imported records; not stored by versions before 0.3. */
    readonly startedAt?: string | null
    /** Lower bound of the IDs of the imported records. */
    readonly firstId?: RecordId
    /** The import's final state, once undoing is complete. */
    readonly endsAs: 'failed' | 'cancelled' | null
  }

export type StoredImport = {
  readonly id: string
  readonly userId: UserId | null
  readonly fileName: string
  readonly bytes: number
  readonly state: ImportState
  readonly collection: CollectionId | null
  readonly madeCollection: boolean
  readonly look: { readonly form: FileFormat; readonly preview: ImportPreview } | null
  readonly progress: ImportProgress
  readonly failure: string | null
  readonly createdAt: string
  readonly endedAt: string | null
}

export const NO_COUNTS: ImportCounts = {
  bytesRead: 0,
  rowsRead: 0,
  rowsStored: 0,
  rowsUpdated: 0,
  rowsRefused: 0,
  errors: [],
}

export const NO_PROGRESS: ImportProgress = {
  ...NO_COUNTS,
  runner: null,
  aliveAt: '',
  madeFields: [],
  endsAs: null,
}

export const rowsOf = ({ id, progress }: Pick<StoredImport, 'id' | 'progress'>): ImportRows => ({
  importId: id,
  firstId: progress.firstId ?? '',
})

export type StartedImport = {
  readonly item: StoredImport
  readonly actor: Actor
  readonly plan: RowPlan
  readonly form: FileFormat
  /** The creation time of the imported records. */
  readonly at: string
  readonly skipsBadRows: boolean
}
