import type { ComponentType } from 'react'
import type { Field, FieldKind } from '#domain/fields/field.ts'
import { CheckboxInput } from './checkbox/input.tsx'
import { MultiSelectInput } from './multi-select/input.tsx'
import { StateInput } from './state/input.tsx'
import { EmailInput } from './email/input.tsx'
import { UrlInput } from './url/input.tsx'
import { PhoneInput } from './phone/input.tsx'
import { UserInput } from './user/input.tsx'
import { AutoNumberInput } from './auto-number/input.tsx'
import { JsonInput } from './json/input.tsx'
import { DateInput } from './date/input.tsx'
import { DateTimeInput } from './date-time/input.tsx'
import { FilesInput } from './files/input.tsx'
import { LongTextInput } from './long-text/input.tsx'
import { NumberInput } from './number/input.tsx'
import type { InputProps, KindTable } from './value-highlights.tsx'
import { RelationInput } from './relation/input.tsx'
import { RichTextInput } from './rich-text/input.tsx'
import { SelectInput } from './select/input.tsx'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { TextInput } from './text/input.tsx'

/** How each kind is edited; complete by type. */
const FIELD_INPUTS: KindTable<{ readonly [Kind in FieldKind]: InputProps<Kind> }> = {
  text: TextInput,
  'long-text': LongTextInput,
  'rich-text': RichTextInput,
  number: NumberInput,
  checkbox: CheckboxInput,
  date: DateInput,
  'date-time': DateTimeInput,
  select: SelectInput,
  'multi-select': MultiSelectInput,
  state: StateInput,
  email: EmailInput,
  url: UrlInput,
  phone: PhoneInput,
  relation: RelationInput,
  user: UserInput,
  files: FilesInput,
  'auto-number': AutoNumberInput,
  json: JsonInput,
}

/** What an input of any kind is told. */
export type FieldInputProps = Omit<InputProps<FieldKind>, 'field' | 'value' | 'onChange' | 'label'> & {
  readonly field: Field
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  /** The field's own label, unless it stands elsewhere under another name. */
  readonly label?: string
}

/** The input of a field, by its kind. */
export function FieldInput({ field, value, label, ...rest }: FieldInputProps) {
  // The table pairs each kind with its own input, which the compiler cannot follow through an index by a union.
  const Input = FIELD_INPUTS[field.kind] as ComponentType<FieldInputProps>
  return <Input field={field} value={toClientValue(field.kind, value)} label={label ?? field.label} {...rest} />
}
