import { type Field, type FieldKind, hasSelectOptions, holdsList, isEntered } from '#domain/fields/field.ts'
import { canBeUnique } from '#domain/fields/kinds.ts'
import { FIELD_KIND_UI } from '#web/field-kinds/field-kinds.ts'
import { type AnyOptions, wireOptions } from '#web/field-kinds/field-options.tsx'
import { NEW_OPTION } from '#web/field-kinds/select/options.tsx'
import { t } from '#web/i18n/t.ts'
import { toWireValue } from '#web/shared/fields/client-value.ts'
import type { ChangedField, NewField } from '#web/features/schema/collection/collection-queries.ts'

export type FieldDraft = {
  readonly label: string
  readonly description: string
  readonly name: string
  readonly kind: FieldKind
  readonly required: boolean
  readonly unique: boolean
  readonly default: unknown
  /** null for a constant default value. */
  readonly defaultFormula: string | null
  readonly options: AnyOptions
  /** Whether a new relation also gets a field in the linked collection. */
  readonly isShownThere: boolean
}

export const NEW_FIELD: FieldDraft = {
  label: '',
  description: '',
  name: '',
  kind: 'text',
  required: false,
  unique: false,
  default: null,
  defaultFormula: null,
  options: FIELD_KIND_UI.text.defaultOptions,
  isShownThere: true,
}

export const draftOfField = (field: Field): FieldDraft => ({
  label: field.label,
  description: field.description ?? '',
  name: field.name,
  kind: field.kind,
  required: field.required,
  unique: field.unique,
  default: field.default,
  defaultFormula: field.defaultFormula ?? null,
  options: field.options,
  isShownThere: false,
})

/**
 * Copies a field's settings to a new field. A status field is copied as a select, because a collection can have only
 * one status field.
 */
export function draftOfCopy(field: Field): FieldDraft {
  const draft = draftOfField(field)
  const options = hasSelectOptions(field)
    ? { choices: field.options.choices.map((option, at) => ({ ...option, id: `${NEW_OPTION}${at}` })) }
    : field.options
  const kind = field.kind === 'state' ? 'select' : field.kind
  return { ...draft, kind, options, name: '', label: t('{label} copy', { label: field.label }) }
}

export const isSameDraft = (one: FieldDraft, other: FieldDraft): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Drafts from closed forms in this tab, by user and field. */
function createUnfinishedFields() {
  const kept = new Map<string, { readonly start: FieldDraft; readonly draft: FieldDraft }>()
  return {
    keep: (key: string, start: FieldDraft, draft: FieldDraft): void => void kept.set(key, { start, draft }),
    /** Undefined if the form's initial values have changed, for example after someone else edited the field. */
    take: (key: string, start: FieldDraft): FieldDraft | undefined => {
      const found = kept.get(key)
      kept.delete(key)
      return found && isSameDraft(found.start, start) ? found.draft : undefined
    },
  }
}

export const unfinishedFields = createUnfinishedFields()

/** Options of the previous type are dropped; the stored options are restored if the user switches back. */
export function withKind(draft: FieldDraft, kind: FieldKind, stored: Field | undefined): FieldDraft {
  if (kind === draft.kind) return draft
  const isBack = stored?.kind === kind
  return {
    ...draft,
    kind,
    options: isBack ? stored.options : FIELD_KIND_UI[kind].defaultOptions,
    default: isBack ? stored.default : null,
    defaultFormula: isBack ? (stored.defaultFormula ?? null) : null,
    unique: draft.unique && canBeUnique(kind),
  }
}

export function fieldOfDraft(draft: FieldDraft): Field {
  const { kind, options, label, name } = draft
  return { id: name, name, label, kind, options, required: false, unique: false, default: null } as Field
}

/** Whether a field of this kind can be empty and therefore required. */
export const canBeRequired = (kind: FieldKind): boolean =>
  kind !== 'checkbox' && kind !== 'state' && kind !== 'auto-number' && isEntered({ kind })

/** Values with several entries can't be unique. */
export const canChooseUnique = (draft: FieldDraft): boolean =>
  canBeUnique(draft.kind) && draft.kind !== 'auto-number' && !holdsList(fieldOfDraft(draft))

export const canHaveDefault = (kind: FieldKind): boolean => FIELD_KIND_UI[kind].canHaveDefault

const nameOf = ({ name }: FieldDraft) => (name.trim() === '' ? {} : { name: name.trim() })

export const newFieldBody = (draft: FieldDraft): NewField => ({
  ...nameOf(draft),
  label: draft.label.trim(),
  description: draft.description.trim(),
  kind: draft.kind,
  required: draft.required,
  unique: draft.unique && canChooseUnique(draft),
  options: wireOptions(draft.options),
  ...(draft.default !== null && { default: toWireValue(fieldOfDraft(draft), draft.default) }),
  ...(draft.defaultFormula !== null && { defaultFormula: draft.defaultFormula }),
  ...(draft.kind === 'relation' && draft.isShownThere && { reverse: {} }),
})

/** Without options, the server creates a select's options from the stored values. */
export function changedFieldBody(draft: FieldDraft, stored: Field): ChangedField['body'] {
  const options = wireOptions(draft.options)
  const takesChoicesAlong = draft.kind !== stored.kind && options.choices?.length === 0
  return {
    ...nameOf(draft),
    label: draft.label.trim(),
    description: draft.description.trim(),
    ...(draft.kind !== stored.kind && { kind: draft.kind }),
    required: draft.required,
    unique: draft.unique && canChooseUnique(draft),
    default: draft.default === null ? null : toWireValue(fieldOfDraft(draft), draft.default),
    defaultFormula: draft.defaultFormula,
    ...(!takesChoicesAlong && { options }),
  }
}
