import type { AssetId, CollectionId, FieldId, OptionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'

/** Every kind of field there is. Adding one makes the compiler list each place that must be taught. */
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

/** What a field holds. */
export type FieldKind = (typeof FIELD_KINDS)[number]

/** Lengths are in characters (code points); `pattern` is a regular expression the whole text must match. */
export type TextOptions = { readonly min?: number; readonly max?: number; readonly pattern?: string }

/** `decimals`: most digits behind the point; absent means any. */
export type NumberOptions = { readonly min?: number; readonly max?: number; readonly decimals?: number }

/** The twelve hues a choice can wear; the theme gives each a tint and a text colour of enough contrast. */
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

/** One of the twelve hues. */
export type OptionColor = (typeof OPTION_COLORS)[number]

/** One named option of a select, a multi-select or a state. The id is the server's and stays when the name changes. */
export type SelectOption = { readonly id: OptionId; readonly name: string; readonly color: OptionColor }

/** The choices in the order people see and sort them. */
export type SelectFieldOptions = { readonly choices: readonly SelectOption[] }

/** Which collection the relation points into, and whether at many records. */
export type RelationOptions = { readonly collection: CollectionId; readonly many: boolean }

/** Whether at many users. */
export type UserOptions = { readonly many: boolean }

/** `max`: most files; `accept`: MIME types such as `image/*` (empty: any); `maxBytes`: largest file. */
export type FilesOptions = {
  readonly max?: number
  readonly accept?: readonly string[]
  readonly maxBytes?: number
  /** Whether the place where a picture was taken is removed from it before it is kept. */
  readonly stripLocation?: boolean
}

/** A kind that needs no options. */
export type NoOptions = { readonly [option: string]: never }

/** The options of each kind. */
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
 * A filled value of each kind, as the server keeps it. Days are `YYYY-MM-DD`, instants ISO 8601 in UTC with ms; any JSON
 * is kept as its compact text, so that none of it is mistaken for a list or a document.
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

/** Any filled value. */
export type FilledValue = ValueOf[FieldKind]

/** What a record holds in one field; null is empty. Lists are never null but `[]`, a checkbox is never null but false. */
export type FieldValue = FilledValue | null

/** One named property of a collection. `name` is for addresses and programs, `label` for people. */
export type Field<Kind extends FieldKind = FieldKind> = Kind extends FieldKind
  ? {
      readonly id: FieldId
      readonly name: string
      readonly label: string
      readonly kind: Kind
      readonly required: boolean
      readonly unique: boolean
      /** What a new record starts with; null for nothing. */
      readonly default: ValueOf[Kind] | null
      readonly options: OptionsOf[Kind]
    }
  : never

/** Whether the field holds a list: its values live in a table of their own. */
export function holdsList(field: Field): boolean {
  if (field.kind === 'relation' || field.kind === 'user') return field.options.many
  return field.kind === 'files' || field.kind === 'multi-select'
}

/** The kinds whose values are choices. */
export type SelectKind = 'select' | 'multi-select' | 'state'

/** Whether the field's values are choices, written outside by their names. */
export function hasSelectOptions(field: Field): field is Field<SelectKind> {
  return field.kind === 'select' || field.kind === 'multi-select' || field.kind === 'state'
}

/** Whether records can be sorted by a field: everything has an order but what only programs read. */
export const canSortBy = ({ kind }: Pick<Field, 'kind'>): boolean => kind !== 'json'

/** Whether records can be grouped by a field: it has a single short value. */
export const canGroupBy = (field: Field): boolean =>
  !holdsList(field) && field.kind !== 'long-text' && field.kind !== 'rich-text' && field.kind !== 'json'
