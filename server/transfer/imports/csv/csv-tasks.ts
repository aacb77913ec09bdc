import type { ImportPreview } from '#api/imports.ts'

import type { FileFormat, KnownFormat } from '#domain/imports/detect-format.ts'
import type { RowPlan } from '#domain/imports/row-to-values.ts'
import type { Dialect } from '#server/platform/database/database.ts'
import type { DictionaryLists } from '#server/platform/database/rows/dictionary-lists.ts'

/** Why a row was not taken; row 1 is the first below the header. */
export type RowError = { readonly row: number; readonly column: string; readonly message: string }

/** What a look at a file finds out. */
export type CsvInspection = { readonly form: FileFormat; readonly preview: ImportPreview }

/** Find out how a file is written and what it holds. */
export type InspectTask = {
  readonly type: 'look'
  readonly file: string
  readonly known: KnownFormat
  /** Where nobody asks for kinds, a few rows are enough; a second's work of them by default. */
  readonly mostRows?: number | undefined
}

/** Collect the different values of some columns. */
export type OptionsTask = {
  readonly type: 'choices'
  readonly file: string
  readonly form: FileFormat
  readonly columns: readonly number[]
  /** Those of them whose cells hold several values. */
  readonly listColumns: readonly number[]
}

/** Read all rows as cells of a table. */
export type ReadTask = {
  readonly type: 'read'
  readonly file: string
  readonly form: FileFormat
  readonly plan: RowPlan
  readonly dialect: Dialect
}

/** Write the refused rows down, each with its reason. */
export type ErrorFileTask = {
  readonly type: 'refusals'
  readonly file: string
  readonly form: FileFormat
  readonly errors: readonly RowError[]
  readonly into: string
}

/** What the thread can be asked to do with a file. */
export type CsvTask = InspectTask | OptionsTask | ReadTask | ErrorFileTask

/** What each task answers in the end. A column with too many different values has no choices. */
export type CsvResults = {
  readonly look: CsvInspection
  readonly choices: readonly (readonly string[] | null)[]
  readonly read: null
  readonly refusals: null
}

/** Some rows on their way into a table. */
export type RowBatch = {
  /** The cells of each row for `fieldsInRow`, as `packed-rows.ts` packs them. */
  readonly packed: Uint8Array<ArrayBuffer>
  /** The number of each row in the file. */
  readonly numbers: readonly number[]
  /** For each pointer of the plan, the titles or people that rows name. */
  readonly titles: readonly DictionaryLists[]
  /** For each list of the plan that is no pointer, the values of rows. */
  readonly lists: readonly DictionaryLists[]
  /** For each row, what its record is found by. */
  readonly keys: readonly (string | number | null)[]
  readonly refused: readonly RowError[]
  /** How far the file was read, refused rows included. */
  readonly rowsRead: number
  readonly bytesRead: number
}

/** What the thread sends. `refused`: the file cannot be read, and why, for people. */
export type CsvReply =
  | { readonly type: 'batch'; readonly batch: RowBatch }
  | { readonly type: 'answer'; readonly answer: unknown }
  | { readonly type: 'refused'; readonly detail: string }
