import type { ComponentType } from 'react'
import type { FileBody, PersonBody, RelatedBody } from '#api/records.ts'
import type { Field, FieldKind } from '#domain/fields/field.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'

/** The number of linked records, and the first of them. */
export type LinkedRecords = { readonly count: number; readonly records: readonly RelatedBody[] }

type ComputedValue = string | number | boolean | null

/** Values in client form: options by name; relations, users and files as objects. */
export type ClientValueOf = {
  readonly text: string | null
  readonly 'long-text': string | null
  /** A document on the record page; plain text in lists. */
  readonly 'rich-text': RichDocument | string | null
  readonly number: number | null
  readonly checkbox: boolean
  readonly date: string | null
  readonly 'date-time': string | null
  readonly select: string | null
  readonly 'multi-select': readonly string[]
  readonly state: string | null
  readonly email: string | null
  readonly url: string | null
  readonly phone: string | null
  readonly relation: readonly RelatedBody[]
  /** Null if there are no linked records. */
  readonly reverse: LinkedRecords | null
  readonly user: readonly PersonBody[]
  readonly files: readonly FileBody[]
  readonly 'auto-number': number | null
  readonly json: unknown
  readonly formula: ComputedValue
  readonly lookup: ComputedValue
  readonly count: ComputedValue
  readonly rollup: ComputedValue
}

/**
 * Properties of a field kind used by forms, lists, filters and pasting. Imports no components except icons, so that
 * every page can load it.
 */
export type KindTraits<Kind extends FieldKind> = {
  readonly label: string
  /** A one-line description of the kind's purpose. */
  readonly hint: string
  readonly Icon: ComponentType<{ readonly size?: number; readonly stroke?: number; readonly 'aria-hidden'?: boolean }>
  /** Converts a value from a response to its client form. */
  readonly read: (value: unknown) => ClientValueOf[Kind]
  /** Converts a client value to the form sent to the server; omitted if both are the same. */
  readonly toWire?: (value: unknown, field: Field<Kind>) => unknown
  /** A value as exported text, but with the given decimal separator. */
  readonly copyText: (value: unknown, field: Field<Kind>, decimal: string) => string
  /** A value formatted for the reader's locale; omitted if the stored value is shown. */
  readonly localText?: (value: unknown, field: Field<Kind>) => string | undefined
  /**
   * Whether cells support paste, fill and clear. Requires that lists contain the full value and that users can write
   * it.
   */
  readonly isPastable: boolean
  /** Whether the kind is edited in a cell; other kinds are edited on the record page. */
  readonly hasCellEditor: boolean
  /** Whether filling continues a series, such as 1, 2, 3. */
  readonly continuesSeries: boolean
  /** Whether duplicating a record keeps the value, omits it, or marks it as a copy if it must be unique. */
  readonly onDuplicate: 'keep' | 'omit' | 'mark'
}
