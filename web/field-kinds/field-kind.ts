import type { ComponentType, ReactNode } from 'react'
import type { DocumentReferencesBody } from '#api/records.ts'
import type { Field, FieldKind, OptionsOf } from '#domain/fields/field.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { ListEdits } from '#web/shared/cell-editing/list-cells.ts'
import type { ClientValueOf } from '#web/shared/fields/kind-traits.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { CellEditor } from '#web/ui/grid/editing/grid-editing.ts'
import type { LazyComponent } from '#web/ui/loading/lazy-module.tsx'

/**
 * A cell shows a value on one line. Cells are stateless, because they are rendered a thousand times while scrolling.
 */
export type CellProps<Kind extends FieldKind> = { readonly field: Field<Kind>; readonly value: ClientValueOf[Kind] }

export type InputProps<Kind extends FieldKind> = {
  readonly field: Field<Kind>
  readonly value: ClientValueOf[Kind]
  readonly onChange: (value: ClientValueOf[Kind]) => void
  /** Called with a message if the text isn't a valid value; if not given, such text clears the value. */
  readonly onFault?: ((message: string) => void) | undefined
  /** Called when the user leaves the input. */
  readonly onDone?: (() => void) | undefined
  readonly label: string
  readonly description?: string | undefined
  readonly error?: string | undefined
  readonly readOnly?: boolean
  readonly autoFocus?: boolean
  /** Whether users who may change the field can add options to it by typing. */
  readonly canAddOptions?: boolean
  /** The target of uploads; a new record has no ID yet. */
  readonly place: { readonly collection: string; readonly record?: string }
  /** Files, users and records referenced in the record's documents. */
  readonly inside?: DocumentReferencesBody | undefined
}

export type OptionsFormProps<Options> = {
  readonly options: Options
  readonly onChange: (options: Options) => void
  /** The error at a path of the request, such as `options.min`. */
  readonly errorAt: (path: string) => string | undefined
  /** Some options of an existing field can't be changed. */
  readonly isStored: boolean
  /** Where the field is; absent if its options don't depend on other fields. */
  readonly place?: FieldPlace | undefined
}

/** The collection of a field, and the ID of the field; '' for a new field. */
export type FieldPlace = { readonly collection: TypedCollection; readonly field: string }

export type OptionsProps<Kind extends FieldKind> = OptionsFormProps<OptionsOf[Kind]>

export type CellEditorProps<SomeField extends Field = Field> = {
  readonly collection: TypedCollection
  readonly cells: ListEdits
  readonly field: SomeField
  readonly line: RecordRow
  readonly editor: CellEditor
}

/**
 * The components of a field kind, and the traits that views and features need. Only the cell is loaded with a list;
 * `scripts/build/chunk-groups.ts` groups the inputs, the option forms and the cell editors into one chunk each.
 */
export type FieldKindUi<Kind extends FieldKind> = {
  readonly Cell: ComponentType<CellProps<Kind>>
  readonly Input: LazyComponent<InputProps<Kind>>
  readonly defaultOptions: OptionsOf[Kind]
  /** Null for kinds that have no options. */
  readonly OptionsForm: LazyComponent<OptionsProps<Kind>> | null
  /** Null for kinds whose traits declare no cell editor. */
  readonly CellEditor: LazyComponent<CellEditorProps<Field<Kind>>> | null
  readonly columnWidthPx: number
  readonly align: 'start' | 'end'
  /** Whether the record page shows it below the short fields, at full width. */
  readonly isWide: boolean
  /** Whether a field can have a default value. */
  readonly canHaveDefault: boolean
  /** Whether a grant can set a default value. */
  readonly canBePreset: boolean
  /** A default value that depends on who creates the record, or when it is created. */
  readonly presetMarker?: { readonly marker: string; readonly label: string }
}

/** Traits shared by most kinds. */
export const SHORT_VALUE = {
  OptionsForm: null,
  align: 'start',
  isWide: false,
  canHaveDefault: true,
  canBePreset: true,
} as const

type Framed = Omit<InputProps<FieldKind>, 'field' | 'value' | 'onChange'> & {
  readonly field: { readonly required: boolean }
}

type InputFrameProps = {
  readonly label: string
  readonly description: string | undefined
  readonly error: ReactNode
  readonly required: boolean
}

export const inputFrameProps = ({ field, label, description, error }: Framed): InputFrameProps => ({
  label,
  description,
  error,
  required: field.required,
})

export const textInputProps = (props: Framed) => ({
  ...inputFrameProps(props),
  readOnly: props.readOnly ?? false,
  autoFocus: props.autoFocus ?? false,
  onBlur: () => props.onDone?.(),
})
