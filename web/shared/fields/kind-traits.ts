import type { ComponentType } from 'react'
import type { FileBody, PersonBody, RelatedBody } from '#api/records.ts'
import type { Field, FieldKind } from '#domain/fields/field.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'

/** In client form: options by name; relations, users and files as objects. */
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
  readonly user: readonly PersonBody[]
  readonly files: readonly FileBody[]
  readonly 'auto-number': number | null
  readonly json: unknown
}

/**
 * The traits of a kind used outside `web/field-kinds`: by forms, lists, filters and pasting. Imports no component
 * except the icon, so that every page can load it.
 */
export type KindTraits<Kind extends FieldKind> = {
  readonly label: string
  /** What the kind is for, in one line. */
  readonly hint: string
  readonly Icon: ComponentType<{ readonly size?: number; readonly stroke?: number; readonly 'aria-hidden'?: boolean }>
  /** Converts a value from a response to its client form. */
  readonly read: (value: unknown) => ClientValueOf[Kind]
  /** Converts a client value for sending; omitted if both forms are the same. */
  readonly toWire?: (value: unknown, field: Field<Kind>) => unknown
  /** A value as text for exports, except that numbers use the given decimal separator. */
  readonly copyText: (value: unknown, field: Field<Kind>, decimal: string) => string
  /** A value in the reader's language; omitted if the stored value is shown unchanged. */
  readonly localText?: (value: unknown, field: Field<Kind>) => string | undefined
  /** Whether a list can paste into, fill and clear cells: it contains the whole value, and users can write it. */
  readonly isPastable: boolean
  /** Whether it is edited inside a cell; other kinds are edited on the record page. */
  readonly hasCellEditor: boolean
  /** Whether filling cells continues a series: 1, 2 is followed by 3. */
  readonly continuesSeries: boolean
  /** Whether a duplicate keeps the value, omits it, or, if it must be unique, marks it as a copy. */
  readonly onDuplicate: 'keep' | 'omit' | 'mark'
}
