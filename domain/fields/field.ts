import type { AssetId, CollectionId, FieldId, OptionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'

/** All field kinds. After adding one, the compiler reports every place to extend. */
export const FIELD_KINDS = [
  'text',
  'long-text',
  'rich-text',
  'number',
  'checkbox',
  'date',
  'date-time',
  'select',
  'multi-select',
  'state',
  'email',
  'url',
  'phone',
  'relation',
  'user',
  'files',
  'auto-number',
  'json',
] as const

export type FieldKind = (typeof FIELD_KINDS)[number]

/** The shape of a single value. Filters, sorting, search, imports and columns depend on it rather than on the kind. */
export type FieldShape =
  | 'text'
  | 'document'
  | 'number'
  | 'boolean'
  | 'date'
  | 'date-time'
  | 'option'
  | 'record'
  | 'person'
  | 'file'
  | 'json'

/** `label` completes “The field contains …”. */
export const KIND_FACTS = {
  text: { shape: 'text', label: 'a text' },
  'long-text': { shape: 'text', label: 'a long text' },
  'rich-text': { shape: 'document', label: 'formatted text' },
  number: { shape: 'number', label: 'a number' },
  checkbox: { shape: 'boolean', label: 'true or false' },
  date: { shape: 'date', label: 'a date' },
  'date-time': { shape: 'date-time', label: 'a date and time' },
  select: { shape: 'option', label: 'an option' },
  'multi-select': { shape: 'option', label: 'several options' },
  state: { shape: 'option', label: 'a status' },
  email: { shape: 'text', label: 'an email address' },
  url: { shape: 'text', label: 'a URL' },
  phone: { shape: 'text', label: 'a phone number' },
  relation: { shape: 'record', label: 'linked records' },
  user: { shape: 'person', label: 'people' },
  files: { shape: 'file', label: 'attached files' },
  'auto-number': { shape: 'number', label: 'a number' },
  json: { shape: 'json', label: 'JSON' },
} as const satisfies { readonly [Kind in FieldKind]: { readonly shape: FieldShape; readonly label: string } }

export const shapeOf = ({ kind }: { readonly kind: FieldKind }): FieldShape => KIND_FACTS[kind].shape

export type KindOfShape<Shape extends FieldShape> = {
  [Kind in FieldKind]: (typeof KIND_FACTS)[Kind]['shape'] extends Shape ? Kind : never
}[FieldKind]

/** Lengths in code points; `pattern` must match the whole text. */
export type TextOptions = { readonly min?: number; readonly max?: number; readonly pattern?: string }

/** How a number is shown, typed, imported and exported. Stored values are 25 for 25 %, and seconds for a duration. */
export const NUMBER_FORMATS = ['number', 'currency', 'percent', 'unit', 'duration', 'rating', 'progress'] as const

export type NumberFormat = (typeof NUMBER_FORMATS)[number]

export const MAX_UNIT_LENGTH = 16

/**
 * `decimals`: maximum, and as many are shown; absent: any. `currency`: ISO 4217 code. `grouping`: thousands, unless
 * false.
 */
export type NumberOptions = {
  readonly min?: number
  readonly max?: number
  readonly decimals?: number
  readonly format?: NumberFormat
  readonly currency?: string
  readonly unit?: string
  readonly grouping?: boolean
}

/** Option colors; the theme defines a background and a text color with enough contrast for each. */
export const OPTION_COLORS = [
  'gray',
  'red',
  'orange',
  'amber',
  'olive',
  'green',
  'teal',
  'cyan',
  'blue',
  'indigo',
  'violet',
  'pink',
] as const

export type OptionColor = (typeof OPTION_COLORS)[number]

/** The ID is assigned by the server and survives renames. */
export type SelectOption = { readonly id: OptionId; readonly name: string; readonly color: OptionColor }

/** In display and sort order. */
export type SelectFieldOptions = { readonly choices: readonly SelectOption[] }

export type RelationOptions = { readonly collection: CollectionId; readonly many: boolean }

export type UserOptions = { readonly many: boolean }

/** `max`: number of files; `accept`: MIME types such as `image/*` (empty: any); `maxBytes`: per file. */
export type FilesOptions = {
  readonly max?: number
  readonly accept?: readonly string[]
  readonly maxBytes?: number
  /** Removes the location from images before they are stored. */
  readonly stripLocation?: boolean
}

export type NoOptions = { readonly [option: string]: never }

export type OptionsOf = {
  readonly text: TextOptions
  readonly 'long-text': TextOptions
  readonly 'rich-text': NoOptions
  readonly number: NumberOptions
  readonly checkbox: NoOptions
  readonly date: NoOptions
  readonly 'date-time': NoOptions
  readonly select: SelectFieldOptions
  readonly 'multi-select': SelectFieldOptions
  readonly state: SelectFieldOptions
  readonly email: TextOptions
  readonly url: TextOptions
  readonly phone: TextOptions
  readonly relation: RelationOptions
  readonly user: UserOptions
  readonly files: FilesOptions
  readonly 'auto-number': NoOptions
  readonly json: NoOptions
}

/**
 * Stored values by kind. Dates are `YYYY-MM-DD`, date-times ISO 8601 in UTC with ms. JSON is stored as text, so it
 * can't be mistaken for a list or a document.
 */
export type ValueOf = {
  readonly text: string
  readonly 'long-text': string
  readonly 'rich-text': RichDocument
  readonly number: number
  readonly checkbox: boolean
  readonly date: string
  readonly 'date-time': string
  readonly select: OptionId
  readonly 'multi-select': readonly OptionId[]
  readonly state: OptionId
  readonly email: string
  readonly url: string
  readonly phone: string
  readonly relation: RecordId | readonly RecordId[]
  readonly user: UserId | readonly UserId[]
  readonly files: readonly AssetId[]
  readonly 'auto-number': number
  readonly json: string
}

export type FilledValue = ValueOf[FieldKind]

/** null: empty. Lists are `[]` and checkboxes false instead. */
export type FieldValue = FilledValue | null

/** `name` is used in URLs and by programs, `label` is shown to users. */
export type Field<Kind extends FieldKind = FieldKind> = Kind extends FieldKind
  ? {
      readonly id: FieldId
      readonly name: string
      readonly label: string
      /** Explains the field to those who fill it in; absent: none. */
      readonly description?: string
      readonly kind: Kind
      readonly required: boolean
      readonly unique: boolean
      readonly default: ValueOf[Kind] | null
      readonly options: OptionsOf[Kind]
    }
  : never

/** Lists are stored in their own table. */
export function holdsList(field: Field): boolean {
  if (field.kind === 'relation' || field.kind === 'user') return field.options.many
  return field.kind === 'files' || field.kind === 'multi-select'
}

export type SelectKind = KindOfShape<'option'>

/** Options are referred to by name in the API. */
export const hasSelectOptions = (field: Field): field is Field<SelectKind> => shapeOf(field) === 'option'

export const canSortBy = ({ kind }: Pick<Field, 'kind'>): boolean => kind !== 'json'

/** Groups need a single short value. */
export const canGroupBy = (field: Field): boolean =>
  !holdsList(field) && field.kind !== 'long-text' && field.kind !== 'rich-text' && field.kind !== 'json'
