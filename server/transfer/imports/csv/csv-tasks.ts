import type { ImportPreview } from '#api/imports.ts'
import type { FileFormat, KnownFormat } from '#domain/imports/detect-format.ts'
import type { Field, SelectKind } from '#domain/fields/field.ts'
import type { RowError } from '#domain/imports/row-issues.ts'
import type { MappedColumn, RowPlan } from '#domain/imports/row-to-values.ts'
import type { Dialect } from '#server/platform/database/database.ts'
import type { DictionaryLists } from '#server/platform/database/rows/dictionary-lists.ts'

export type CsvInspection = { readonly form: FileFormat; readonly preview: ImportPreview }

/** Detects format and column types. */
export type InspectTask = {
  readonly type: 'look'
  readonly file: string
  readonly known: KnownFormat
  /** Defaults to the number of rows that can be read in about a second. */
  readonly maxRows?: number | undefined
}

/** Collects the distinct values of columns. */
export type OptionsTask = {
  readonly type: 'choices'
  readonly file: string
  readonly form: FileFormat
  readonly columns: readonly OptionsColumn[]
}

/** A column whose values become options; `field` is a draft without options. */
export type OptionsColumn = Pick<MappedColumn, 'at' | 'format' | 'replace'> & { readonly field: Field<SelectKind> }

/** Reads all rows as cells. */
export type ReadTask = {
  readonly type: 'read'
  readonly file: string
  readonly form: FileFormat
  readonly plan: RowPlan
  readonly dialect: Dialect
  /** Includes rejected rows, without values, so that their links are checked as well. */
  readonly isCheck?: boolean
}

/** Writes rejected rows with their errors. */
export type ErrorFileTask = {
  readonly type: 'refusals'
  readonly file: string
  readonly form: FileFormat
  readonly errors: readonly RowError[]
  readonly into: string
}

export type CsvTask = InspectTask | OptionsTask | ReadTask | ErrorFileTask

/** Null for a column with too many distinct values to become options. */
export type CsvResults = {
  readonly look: CsvInspection
  readonly choices: readonly (readonly string[] | null)[]
  readonly read: null
  readonly refusals: null
}

export type RowBatch = {
  /** The cells of each row for `fieldsInRow`, packed by `packed-rows.ts`. */
  readonly packed: Uint8Array<ArrayBuffer>
  /** Row numbers in the file. */
  readonly numbers: readonly number[]
  readonly titles: readonly DictionaryLists[]
  /** The values of each list field that isn't a reference. */
  readonly lists: readonly DictionaryLists[]
  readonly keys: readonly (string | number | null)[]
  readonly refused: readonly RowError[]
  /** Reasons to reject rows with a key that create a record. */
  readonly missing: readonly RowError[]
  /** Includes rejected rows. */
  readonly rowsRead: number
  readonly bytesRead: number
}

/** `refused`: the file can't be read; the reason is shown to the user. */
export type CsvReply =
  | { readonly type: 'batch'; readonly batch: RowBatch }
  | { readonly type: 'answer'; readonly answer: unknown }
  | { readonly type: 'refused'; readonly detail: string }
