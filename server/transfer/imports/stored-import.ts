import type { ImportPreview } from '#api/imports.ts'
import type { FileFormat } from '#domain/imports/detect-format.ts'
import type { RunningImport } from '#domain/imports/abandoned-runner.ts'
import type { CollectionId, FieldId, UserId } from '#domain/shared/ids.ts'
import type { RowError } from './csv/csv-tasks.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { RowPlan } from '#domain/imports/row-to-values.ts'

/** Where an import stands. `undoing`: it failed or was cancelled, and what it wrote is being removed. */
export type ImportState = 'ready' | 'running' | 'undoing' | 'done' | 'failed' | 'cancelled'

/** How far an import is. */
export type ImportCounts = {
  readonly bytesRead: number
  readonly rowsRead: number
  readonly rowsStored: number
  /** How many of the stored rows are about records that were there before. */
  readonly rowsUpdated: number
  readonly rowsRefused: number
  /** The first errors; all of them stand in the error file. */
  readonly errors: readonly RowError[]
}

/** How far an import is, who carries it out, and what must be known to undo it. */
export type ImportProgress = ImportCounts &
  RunningImport & {
    /** Fields it made in a collection that was there before. */
    readonly madeFields: readonly FieldId[]
    /** How it will stand once it is undone. */
    readonly endsAs: 'failed' | 'cancelled' | null
  }

/** An import as it is kept. */
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

/** Nothing is read yet. */
export const NO_COUNTS: ImportCounts = {
  bytesRead: 0,
  rowsRead: 0,
  rowsStored: 0,
  rowsUpdated: 0,
  rowsRefused: 0,
  errors: [],
}

/** An import that has not begun. */
export const NO_PROGRESS: ImportProgress = {
  ...NO_COUNTS,
  runner: null,
  aliveAt: '',
  madeFields: [],
  endsAs: null,
}

/** An import that has begun: everything its rows need. */
export type StartedImport = {
  readonly item: StoredImport
  readonly actor: Actor
  readonly plan: RowPlan
  readonly form: FileFormat
  /** The instant its records are created at. */
  readonly at: string
  readonly skipsBadRows: boolean
}
