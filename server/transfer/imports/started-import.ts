import type { Actor } from '#domain/access/actor.ts'
import type { FileFormat } from '#domain/imports/csv-format.ts'
import type { RowPlan } from '#domain/imports/row-to-values.ts'
import type { StoredImport } from './stored-import.ts'

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
