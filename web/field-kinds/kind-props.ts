import type { ComponentType, ReactNode } from 'react'
import type { DocumentReferencesBody } from '#api/records.ts'
import type { Field, FieldKind, OptionsOf } from '#domain/fields/field.ts'
import type { ClientValueOf } from '#web/shared/fields/client-value.ts'

/** What a cell draws: a value in one line. It is drawn a thousand times while scrolling, so it keeps no state. */
export type CellProps<Kind extends FieldKind> = { readonly field: Field<Kind>; readonly value: ClientValueOf[Kind] }

/** What an input edits. */
export type InputProps<Kind extends FieldKind> = {
  readonly field: Field<Kind>
  readonly value: ClientValueOf[Kind]
  readonly onChange: (value: ClientValueOf[Kind]) => void
  /** What stands in the input is no value, so that nothing of it may be kept. Without it such a value is emptied. */
  readonly onFault?: ((message: string) => void) | undefined
  /** The person has left the input; what they wrote may be kept now. */
  readonly onDone?: (() => void) | undefined
  readonly label: string
  readonly description?: ReactNode
  /** A sentence about what is wrong with the value. */
  readonly error?: string | undefined
  readonly readOnly?: boolean
  readonly autoFocus?: boolean
  /** Where the value stands, for uploads: the collection, and the record once there is one. */
  readonly place: { readonly collection: string; readonly record?: string }
  /** What the ids inside documents of the record mean to whoever has it open. */
  readonly inside?: DocumentReferencesBody | undefined
}

/** What the form for a field's options edits. */
export type OptionsProps<Kind extends FieldKind> = {
  readonly options: OptionsOf[Kind]
  readonly onChange: (options: OptionsOf[Kind]) => void
  /** The sentence about one option, by its path in what was sent (`options.min`). */
  readonly errorAt: (path: string) => string | undefined
  /** Whether the field exists already: then some options can no longer change. */
  readonly isStored: boolean
}

/** One part of every kind, complete by type. */
export type KindTable<Props extends { readonly [Kind in FieldKind]: object }> = {
  readonly [Kind in FieldKind]: ComponentType<Props[Kind]>
}
