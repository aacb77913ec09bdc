import type { ComponentType } from 'react'
import type { OptionsInput } from '#api/collections.ts'
import type { OptionsDraft } from '#domain/collections/check-field.ts'
import type { Field, FieldKind, OptionsOf } from '#domain/fields/field.ts'
import { CheckboxOptionsForm } from './checkbox/options.tsx'
import { MultiSelectOptionsForm } from './multi-select/options.tsx'
import { StateOptionsForm } from './state/options.tsx'
import { EmailOptionsForm } from './email/options.tsx'
import { UrlOptionsForm } from './url/options.tsx'
import { PhoneOptionsForm } from './phone/options.tsx'
import { UserOptionsForm } from './user/options.tsx'
import { AutoNumberOptionsForm } from './auto-number/options.tsx'
import { JsonOptionsForm } from './json/input.tsx'
import { DateOptionsForm } from './date/options.tsx'
import { DateTimeOptionsForm } from './date-time/options.tsx'
import { FilesOptionsForm } from './files/options.tsx'
import { LongTextOptionsForm } from './long-text/options.tsx'
import { NumberOptionsForm } from './number/options.tsx'
import type { KindTable, OptionsProps } from './value-highlights.tsx'
import { RelationOptionsForm } from './relation/options.tsx'
import { RichTextOptionsForm } from './rich-text/input.tsx'
import { isNewOption, SelectOptionsForm } from './select/options.tsx'
import { TextOptionsForm } from './text/options.tsx'

/** How each kind is configured; complete by type. */
const FIELD_OPTIONS: KindTable<{ readonly [Kind in FieldKind]: OptionsProps<Kind> }> = {
  text: TextOptionsForm,
  'long-text': LongTextOptionsForm,
  'rich-text': RichTextOptionsForm,
  number: NumberOptionsForm,
  checkbox: CheckboxOptionsForm,
  date: DateOptionsForm,
  'date-time': DateTimeOptionsForm,
  select: SelectOptionsForm,
  'multi-select': MultiSelectOptionsForm,
  state: StateOptionsForm,
  email: EmailOptionsForm,
  url: UrlOptionsForm,
  phone: PhoneOptionsForm,
  relation: RelationOptionsForm,
  user: UserOptionsForm,
  files: FilesOptionsForm,
  'auto-number': AutoNumberOptionsForm,
  json: JsonOptionsForm,
}

/** Options of any kind. */
export type AnyOptions = Field['options']

type FieldOptionsFormProps = Omit<OptionsProps<FieldKind>, 'options' | 'onChange'> & {
  readonly kind: FieldKind
  readonly options: AnyOptions
  readonly onChange: (options: AnyOptions) => void
}

/** The form for a field's options, by its kind. */
export function FieldOptionsForm({ kind, ...rest }: FieldOptionsFormProps) {
  // The table pairs each kind with its own form, which the compiler cannot follow through an index by a union.
  const Form = FIELD_OPTIONS[kind] as ComponentType<Omit<FieldOptionsFormProps, 'kind'>>
  return <Form {...rest} />
}

/** What a new field of each kind begins with. */
export const DEFAULT_OPTIONS: { readonly [Kind in FieldKind]: OptionsOf[Kind] } = {
  text: {},
  'long-text': {},
  'rich-text': {},
  number: {},
  checkbox: {},
  date: {},
  'date-time': {},
  select: { choices: [] },
  'multi-select': { choices: [] },
  state: { choices: [] },
  email: {},
  url: {},
  phone: {},
  relation: { collection: '', many: false },
  user: { many: false },
  files: {},
  'auto-number': {},
  json: {},
}

/** Options as they are sent: new choices without an id, and those without a name not at all. */
export function wireOptions(options: AnyOptions): OptionsInput {
  const given: OptionsDraft = options
  const { choices, accept, ...others } = given
  return {
    ...others,
    ...(accept && { accept: [...accept] }),
    ...(choices && { choices: choices.filter(({ name }) => name.trim() !== '').map(wireOption) }),
  }
}

const wireOption = ({ id, name, color }: NonNullable<OptionsDraft['choices']>[number]) => ({
  ...(id !== undefined && !isNewOption(id) && { id }),
  name,
  ...(color && { color }),
})
