import { type Field, type FormulaResult, isRollup, isStored, type RollupKind } from '#domain/fields/field.ts'

// Pages that only show values load this module without the formula language.

export const isFormula = (field: Field): field is Field<'formula'> => field.kind === 'formula'

/** A field whose values are calculated from other fields. */
export type ComputedField = Field<'formula' | RollupKind>

export const isComputed = (field: Field): field is ComputedField => isFormula(field) || isRollup(field)

/** The field that computed values belong to, by which they are filtered, sorted, printed, shown and, if so, stored. */
export function resultField(field: ComputedField): Field<FormulaResult> {
  const known = resultFields.get(field)
  if (known) return known
  const { id, name, label, description, options } = field
  // The kind and its options belong together, but the compiler can't infer that.
  const result = {
    id,
    name,
    label,
    ...(description !== undefined && { description }),
    kind: options.result,
    required: false,
    unique: false,
    default: null,
    options: 'number' in options ? options.number : {},
  } as Field<FormulaResult>
  resultFields.set(field, result)
  return result
}

/** Definitions keep their identity until they change. */
const resultFields = new WeakMap<ComputedField, Field<FormulaResult>>()

/** A field as its values are shaped: the result of a calculated field, or the field itself. */
export const valueField = (field: Field): Field => (isComputed(field) ? resultField(field) : field)

/** Values of linked records in a formula, as the fields that they are stored and calculated like. */
export function linkedValuesOf(field: Field): readonly Field<RollupKind>[] {
  if (!isFormula(field) || field.options.linked === undefined) return NONE
  const known = linkedValues.get(field)
  if (known) return known
  const { name, label, options } = field
  const found = (options.linked ?? []).map(
    (value): Field<RollupKind> => ({ ...value, name, label, required: false, unique: false, default: null }),
  )
  linkedValues.set(field, found)
  return found
}

const NONE: readonly Field<RollupKind>[] = []

const linkedValues = new WeakMap<Field, readonly Field<RollupKind>[]>()

/** Lookups, counts and rollups among these fields, and the values of linked records in formulas. */
export const rollupsIn = (fields: readonly Field[]): readonly Field<RollupKind>[] =>
  fields.flatMap((field): readonly Field<RollupKind>[] => (isRollup(field) ? [field] : linkedValuesOf(field)))

/** The fields that have columns: stored ones, and the values of linked records in formulas. */
export const storedFieldsIn = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field): readonly Field[] => (isStored(field) ? [field] : linkedValuesOf(field)))
