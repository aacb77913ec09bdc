import type { AssetId, CollectionId, FieldId, OptionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { Json } from '#domain/shared/json.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'

/** All field kinds. When one is added, the compiler reports every place that must handle it. */
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
  'reverse',
  'user',
  'files',
  'auto-number',
  'json',
  'formula',
  'lookup',
  'count',
  'rollup',
] as const

export type FieldKind = (typeof FIELD_KINDS)[number]

/**
 * Shape of a single value. Filters, sorting, search, imports and columns depend on the shape, not on the field kind.
 */
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
  | 'formula'

/**
 * `label` completes “The field contains …”. Values of virtual kinds are computed from other fields and can't be written.
 * Those of lookups, counts and rollups are stored as values of their result; the others are computed when they are read.
 */
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
  reverse: { shape: 'record', label: 'linked records', isVirtual: true },
  user: { shape: 'person', label: 'people' },
  files: { shape: 'file', label: 'attached files' },
  'auto-number': { shape: 'number', label: 'a number' },
  json: { shape: 'json', label: 'JSON' },
  formula: { shape: 'formula', label: 'a calculated value', isVirtual: true },
  lookup: { shape: 'formula', label: 'values of linked records', isVirtual: true },
  count: { shape: 'formula', label: 'the number of linked records', isVirtual: true },
  rollup: { shape: 'formula', label: 'a summary of linked records', isVirtual: true },
} as const satisfies { readonly [Kind in FieldKind]: KindFacts }

type KindFacts = { readonly shape: FieldShape; readonly label: string; readonly isVirtual?: true }

export const shapeOf = ({ kind }: { readonly kind: FieldKind }): FieldShape => KIND_FACTS[kind].shape

export type KindOfShape<Shape extends FieldShape> = {
  [Kind in FieldKind]: (typeof KIND_FACTS)[Kind]['shape'] extends Shape ? Kind : never
}[FieldKind]

/** Lengths are in code points; `pattern` must match the entire text. */
export type TextOptions = { readonly min?: number; readonly max?: number; readonly pattern?: string }

/** How a number is displayed, entered, imported and exported. 25 % is stored as 25, and durations as seconds. */
export const NUMBER_FORMATS = ['number', 'currency', 'percent', 'unit', 'duration', 'rating', 'progress'] as const

export type NumberFormat = (typeof NUMBER_FORMATS)[number]

export const MAX_UNIT_LENGTH = 16

/**
 * `decimals`: maximum number of decimals, padded with zeros when displayed; absent: any number. `currency`: ISO 4217
 * code. `grouping`: whether to show thousands separators (default: true).
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

/** Option colors; for each, the theme defines background and text colors with sufficient contrast. */
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

/** The server assigns the ID, which survives renames. */
export type SelectOption = { readonly id: OptionId; readonly name: string; readonly color: OptionColor }

/** Options in display and sort order. */
export type SelectFieldOptions = { readonly choices: readonly SelectOption[] }

export type RelationOptions = { readonly collection: CollectionId; readonly many: boolean }

/**
 * The relation whose links are shown from the other side, and the collection that contains it. `fields`: those of
 * the linked records that a record lists next to their titles; absent: a few that tell records apart.
 */
export type ReverseOptions = {
  readonly collection: CollectionId
  readonly relation: FieldId
  readonly fields?: readonly FieldId[]
}

export const MAX_LISTED_FIELDS = 8

export type UserOptions = { readonly many: boolean }

/** `max`: number of files; `accept`: MIME types such as `image/*` (empty: any); `maxBytes`: size limit per file. */
export type FilesOptions = {
  readonly max?: number
  readonly accept?: readonly string[]
  readonly maxBytes?: number
  /** Strips location metadata from images before storing them. */
  readonly stripLocation?: boolean
}

/** Kinds of fields whose values formulas can have. */
export const FORMULA_RESULTS = ['number', 'text', 'checkbox', 'date', 'date-time'] as const

export type FormulaResult = (typeof FORMULA_RESULTS)[number]

/** Without values, `sum` and counts are 0, `any` and `all` are false, and the others are empty. */
export const ROLLUP_FUNCTIONS = [
  'sum',
  'avg',
  'min',
  'max',
  'count',
  'countDistinct',
  'first',
  'last',
  'join',
  'any',
  'all',
] as const

export type RollupFunction = (typeof ROLLUP_FUNCTIONS)[number]

/** Fields of one collection whose values a lookup, count or rollup discloses. */
export type RollupInputs = { readonly collection: CollectionId; readonly fields: readonly FieldId[] }

/**
 * `path`: relations and reverse sides that lead to the linked records. `field`: the summarized field there; absent for
 * counts. `filter`: a filter tree (`rollupFilter`) of the included records. The others are inferred: `inputs` is absent
 * while the definition isn't valid; `number` is how numbers are displayed, the same as in the summarized field.
 */
export type RollupOptions = {
  readonly path: readonly FieldId[]
  readonly field?: FieldId
  readonly function: RollupFunction
  readonly filter?: Json
  readonly result: FormulaResult
  readonly inputs?: readonly RollupInputs[]
  readonly number?: NumberOptions
}

/**
 * A value of linked records in a formula, which is stored like that of a lookup of one record, or of a rollup. `id` is
 * that of its column.
 */
export type LinkedValue = {
  readonly id: FieldId
  readonly kind: 'lookup' | 'rollup'
  readonly options: RollupOptions
}

/** The formula refers to fields by ID. `result` and `linked` are inferred from it; `linked` is absent if it is empty. */
export type FormulaOptions = {
  readonly formula: string
  readonly result: FormulaResult
  readonly linked?: readonly LinkedValue[]
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
  readonly reverse: ReverseOptions
  readonly user: UserOptions
  readonly files: FilesOptions
  readonly 'auto-number': NoOptions
  readonly json: NoOptions
  readonly formula: FormulaOptions
  readonly lookup: RollupOptions
  readonly count: RollupOptions
  readonly rollup: RollupOptions
}

/**
 * Stored values by kind. Dates are `YYYY-MM-DD`; date-times are ISO 8601 in UTC with milliseconds. JSON is stored as
 * text, so that it can't be mistaken for a list or document.
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
  /** Never stored. */
  readonly reverse: readonly RecordId[]
  readonly user: UserId | readonly UserId[]
  readonly files: readonly AssetId[]
  readonly 'auto-number': number
  readonly json: string
  /** Values have the kind of the result. */
  readonly formula: never
  readonly lookup: never
  readonly count: never
  readonly rollup: never
}

export type FilledValue = ValueOf[FieldKind]

/** Empty values are null, except that empty lists are `[]` and empty checkboxes false. */
export type FieldValue = FilledValue | null

/** `name` is used in URLs and by API clients; `label` is shown to users. */
export type Field<Kind extends FieldKind = FieldKind> = Kind extends FieldKind
  ? {
      readonly id: FieldId
      readonly name: string
      readonly label: string
      /** Help text shown when editing the field; absent if there is none. */
      readonly description?: string
      readonly kind: Kind
      readonly required: boolean
      readonly unique: boolean
      readonly default: ValueOf[Kind] | null
      /** Calculates the default value of new records, in place of `default`; refers to fields by ID. */
      readonly defaultFormula?: string
      readonly options: OptionsOf[Kind]
    }
  : never

export const isVirtual = ({ kind }: Pick<Field, 'kind'>): boolean => 'isVirtual' in KIND_FACTS[kind]

/** Whether values are entered by users or programs. */
export const isEntered = (field: Pick<Field, 'kind'>): boolean => !isVirtual(field)

/** Kinds whose values are calculated from linked records and stored. */
export type RollupKind = 'lookup' | 'count' | 'rollup'

/** Whether values have columns in the database. Formulas have columns for their values of linked records only. */
export const isStored = ({ kind }: Pick<Field, 'kind'>): boolean => kind !== 'reverse' && kind !== 'formula'

export const isRollup = (field: Field): field is Field<RollupKind> =>
  field.kind === 'lookup' || field.kind === 'count' || field.kind === 'rollup'

/** The collection that linked records belong to. */
export const linkedCollection = (field: Field): CollectionId | undefined =>
  field.kind === 'relation' || field.kind === 'reverse' ? field.options.collection : undefined

/** Whether a value can have several entries, stored or not. */
export const hasManyEntries = (field: Field): boolean => field.kind === 'reverse' || holdsList(field)

/** List values are stored in a separate table. */
export function holdsList(field: Field): boolean {
  if (field.kind === 'relation' || field.kind === 'user') return field.options.many
  return field.kind === 'files' || field.kind === 'multi-select'
}

export type SelectKind = KindOfShape<'option'>

/** The API refers to options by name. */
export const hasSelectOptions = (field: Field): field is Field<SelectKind> => shapeOf(field) === 'option'

export const canSortBy = ({ kind }: Pick<Field, 'kind'>): boolean => kind !== 'json'

/** Records can only be grouped by a single short value. */
export const canGroupBy = (field: Field): boolean =>
  !hasManyEntries(field) && field.kind !== 'long-text' && field.kind !== 'rich-text' && field.kind !== 'json'
