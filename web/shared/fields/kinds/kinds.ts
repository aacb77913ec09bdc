import type { Field, FieldKind } from '#domain/fields/field.ts'
import { autoNumberTraits } from './auto-number.ts'
import { checkboxTraits } from './checkbox.ts'
import { dateTimeTraits } from './date-time.ts'
import { dateTraits } from './date.ts'
import { emailTraits } from './email.ts'
import { filesTraits } from './files.ts'
import { jsonTraits } from './json.ts'
import type { KindTraits } from './kind-traits.ts'
import { longTextTraits } from './long-text.ts'
import { multiSelectTraits } from './multi-select.ts'
import { numberTraits } from './number.ts'
import { phoneTraits } from './phone.ts'
import { relationTraits } from './relation.ts'
import { richTextTraits } from './rich-text.ts'
import { selectTraits } from './select.ts'
import { stateTraits } from './state.ts'
import { textTraits } from './text.ts'
import { urlTraits } from './url.ts'
import { userTraits } from './user.ts'

/** The traits of every kind; its components are in `web/field-kinds/field-kinds.ts`. */
export const KIND_TRAITS: { readonly [Kind in FieldKind]: KindTraits<Kind> } = {
  text: textTraits,
  'long-text': longTextTraits,
  'rich-text': richTextTraits,
  number: numberTraits,
  checkbox: checkboxTraits,
  date: dateTraits,
  'date-time': dateTimeTraits,
  select: selectTraits,
  'multi-select': multiSelectTraits,
  state: stateTraits,
  email: emailTraits,
  url: urlTraits,
  phone: phoneTraits,
  relation: relationTraits,
  user: userTraits,
  files: filesTraits,
  'auto-number': autoNumberTraits,
  json: jsonTraits,
}

/** Traits of a kind that is only known at run time. */
export type AnyKindTraits = Omit<KindTraits<FieldKind>, 'toWire' | 'copyText'> & {
  readonly toWire?: (value: unknown, field: Field) => unknown
  readonly copyText: (value: unknown, field: Field, decimal: string) => string
}

/** The traits of a field's kind. */
export const traitsOf = ({ kind }: Pick<Field, 'kind'>): AnyKindTraits =>
  // The registry pairs each kind with its own traits, which the compiler can't follow through an index by a union.
  KIND_TRAITS[kind] as AnyKindTraits
