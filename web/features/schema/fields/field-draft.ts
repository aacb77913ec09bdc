import type { Field, FieldKind } from '#domain/fields/field.ts'
import { canBeUnique } from '#domain/fields/kinds.ts'
import { type AnyOptions, DEFAULT_OPTIONS, wireOptions } from '#web/field-kinds/field-options.tsx'
import { toWireValue } from '#web/shared/fields/client-value.ts'
import type { ChangedField, NewField } from '#web/features/schema/collection/collection-queries.ts'

/** A field while somebody fills in its form. */
export type FieldDraft = {
  readonly label: string
  readonly name: string
  readonly kind: FieldKind
  readonly required: boolean
  readonly unique: boolean
  readonly default: unknown
  readonly options: AnyOptions
}

/** A field that does not exist yet. */
export const NEW_FIELD: FieldDraft = {
  label: '',
  name: '',
  kind: 'text',
  required: false,
  unique: false,
  default: null,
  options: DEFAULT_OPTIONS.text,
}

/** A field as it stands. */
export const draftOfField = ({ label, name, kind, required, unique, default: value, options }: Field): FieldDraft => ({
  label,
  name,
  kind,
  required,
  unique,
  default: value,
  options,
})

/** The draft with another kind; what belonged to the old one alone is gone, and what was stored comes back. */
export function withKind(draft: FieldDraft, kind: FieldKind, stored: Field | undefined): FieldDraft {
  if (kind === draft.kind) return draft
  const isBack = stored?.kind === kind
  return {
    ...draft,
    kind,
    options: isBack ? stored.options : DEFAULT_OPTIONS[kind],
    default: isBack ? stored.default : null,
    unique: draft.unique && canBeUnique(kind),
  }
}

/** The draft as a field, for the input of its default value. */
export function fieldOfDraft(draft: FieldDraft): Field {
  const { kind, options, label, name } = draft
  // Kind and options of a draft always belong together: `withKind` changes both.
  return { id: name, name, label, kind, options, required: false, unique: false, default: null } as Field
}

/** Kinds that can start with a value. */
const WITH_DEFAULT: readonly FieldKind[] = [
  ...(['text', 'long-text', 'number', 'checkbox', 'date', 'date-time', 'select', 'multi-select', 'state'] as const),
  ...(['email', 'url', 'phone', 'json'] as const),
]

/** Whether a record may be without a value of this kind: then it can be asked to have one. */
export const canBeRequired = (kind: FieldKind): boolean =>
  kind !== 'checkbox' && kind !== 'state' && kind !== 'auto-number'

/** Whether a person decides that values of this kind differ: numbers that count always do. */
export const canChooseUnique = (kind: FieldKind): boolean => canBeUnique(kind) && kind !== 'auto-number'

/** Whether a new record may start with a value of this kind. */
export const canHaveDefault = (kind: FieldKind): boolean => WITH_DEFAULT.includes(kind)

const nameOf = ({ name }: FieldDraft) => (name.trim() === '' ? {} : { name: name.trim() })

/** What is sent to make the field. */
export const newFieldBody = (draft: FieldDraft): NewField => ({
  ...nameOf(draft),
  label: draft.label.trim(),
  kind: draft.kind,
  required: draft.required,
  unique: draft.unique,
  options: wireOptions(draft.options),
  ...(draft.default !== null && { default: toWireValue(fieldOfDraft(draft), draft.default) }),
})

/** What is sent to change the field: what becomes a field of choices brings its values along, unless choices are given. */
export function changedFieldBody(draft: FieldDraft, stored: Field): ChangedField['body'] {
  const options = wireOptions(draft.options)
  const takesChoicesAlong = draft.kind !== stored.kind && options.choices?.length === 0
  return {
    ...nameOf(draft),
    label: draft.label.trim(),
    ...(draft.kind !== stored.kind && { kind: draft.kind }),
    required: draft.required,
    unique: draft.unique,
    default: draft.default === null ? null : toWireValue(fieldOfDraft(draft), draft.default),
    ...(!takesChoicesAlong && { options }),
  }
}
