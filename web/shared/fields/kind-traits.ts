import type { ComponentType } from 'react'
import type { FileBody, PersonBody, RelatedBody } from '#api/records.ts'
import type { Field, FieldKind } from '#domain/fields/field.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'

/** As held by the browser: options by name; relations, people and files as objects. */
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
 * What code below `web/field-kinds` needs to know about a kind: forms, lists, filters and pasting. It imports no
 * component except the icon, so that every page can load it.
 */
export type KindTraits<Kind extends FieldKind> = {
  readonly label: string
  /** What the kind is for, in one line. */
  readonly hint: string
  readonly Icon: ComponentType<{ readonly size?: number; readonly stroke?: number; readonly 'aria-hidden'?: boolean }>
  /** A value of a response as the browser holds it. */
  readonly read: (value: unknown) => ClientValueOf[Kind]
  /** A held value as it is sent; left out where it is sent as it is held. */
  readonly toWire?: (value: unknown, field: Field<Kind>) => unknown
  /** A value as an export prints it, except that numbers have the given decimal separator. */
  readonly copyText: (value: unknown, field: Field<Kind>, decimal: string) => string
  /** A value in the reader's language; left out where it is shown as stored. */
  readonly localText?: (value: unknown, field: Field<Kind>) => string | undefined
  /** Whether a list can paste into, fill and clear cells: it holds the whole value, and users write it. */
  readonly isPastable: boolean
  /** Whether it is edited inside a cell; other kinds are edited on the record's page. */
  readonly hasCellEditor: boolean
  /** Whether filling cells continues a series: after 1, 2 comes 3. */
  readonly continuesSeries: boolean
  /** A duplicate keeps the value, omits it, or, where it must be unique, marks it as a copy. */
  readonly onDuplicate: 'keep' | 'omit' | 'mark'
}
