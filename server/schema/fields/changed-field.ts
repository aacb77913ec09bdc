import type { FieldChange } from '#api/collections.ts'
import type { OptionsDraft } from '#domain/fields/field-options.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, hasSelectOptions, isRollup, type SelectOption } from '#domain/fields/field.ts'
import { DEFAULT_FORM, apiValue } from '#domain/records/named-values.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { optionsFromValues } from './convert-values.ts'
import { fieldFromDraft } from './field-context.ts'

export type ResolvedChange = Omit<FieldChange, 'options'> & {
  readonly options?: OptionsDraft | undefined
  /** Former options, whose IDs `options` can contain. */
  readonly formerOptions?: readonly SelectOption[] | undefined
}

export type FieldReader = Pick<Writing, 'definitions' | 'actor' | 'newId'> & { readonly reader: Reader }

export async function changedField(
  looking: FieldReader,
  collection: Collection,
  old: Field,
  change: ResolvedChange,
): Promise<Field> {
  const kind = change.kind ?? old.kind
  const isSameKind = kind === old.kind
  const options =
    change.options ?? (isSameKind ? optionsOf(old) : await startingOptions(looking, collection, old, kind))
  const draft = {
    name: change.name ?? old.name,
    label: change.label ?? old.label,
    description: change.description === undefined ? old.description : (change.description ?? undefined),
    kind,
    required: change.required ?? old.required,
    unique: change.unique ?? (isSameKind && old.unique),
    defaultFormula: defaultFormulaAfter(old, change, isSameKind),
    default: change.default === undefined ? (isSameKind ? apiValue(old, old.default, BY_ID) : null) : change.default,
    options,
  }
  const siblings = collection.fields.filter((field) => field.id !== old.id)
  const { definitions, actor, newId } = looking
  const { formerOptions } = change
  return fieldFromDraft(draft, { definitions, actor, newId, siblings, existing: old, self: collection, formerOptions })
}

/** Kept unless it is changed, or a constant default value is given. */
function defaultFormulaAfter(old: Field, change: ResolvedChange, isSameKind: boolean): string | undefined {
  if (change.defaultFormula !== undefined) return change.defaultFormula ?? undefined
  const hasConstant = change.default !== undefined && change.default !== null
  return isSameKind && !hasConstant ? old.defaultFormula : undefined
}

/** The change that gives a field another definition of it. */
export const changeTo = (next: Field): ResolvedChange => ({
  name: next.name,
  label: next.label,
  description: next.description ?? null,
  kind: next.kind,
  required: next.required,
  unique: next.unique,
  default: apiValue(next, next.default, BY_ID),
  defaultFormula: next.defaultFormula ?? null,
  options: optionsOf(next),
  formerOptions: hasSelectOptions(next) ? next.options.choices : [],
})

/** Options by ID, because their names can change in the same request. */
const BY_ID = { ...DEFAULT_FORM, choices: 'id' } as const

/** The initial options of a field converted to a select: the values of a text field, or the options of a select. */
export async function startingOptions(
  { reader }: FieldReader,
  collection: Collection,
  old: Field,
  kind: Field['kind'],
): Promise<OptionsDraft> {
  if (kind !== 'select' && kind !== 'multi-select' && kind !== 'state') return {}
  return { choices: await optionsFromValues(reader, collection, old, kind === 'multi-select') }
}

/** The results of calculated fields are inferred, not given. */
function optionsOf(field: Field): OptionsDraft {
  if (field.kind === 'formula') return { formula: field.options.formula }
  if (!isRollup(field)) return { ...field.options }
  const { result: _, inputs: __, number: ___, ...options } = field.options
  return options
}
