import { type Field, type FieldKind, type FieldValue, isVirtual } from '../fields/field.ts'
import type { OptionsContext, OptionsDraft } from '../fields/field-options.ts'
import { canBeUnique, checkValue, isEmptyValue, optionRulesOf } from '../fields/kinds.ts'
import type { FieldId } from '../shared/ids.ts'
import { type PartProblem, partProblem } from '../shared/problem.ts'
import { type Result, fail, ok } from '../shared/result.ts'
import { hasReferences } from '#domain/fields/text.ts'
import { isFieldName, nameFromLabel } from './names.ts'

export type FieldDraft = {
  readonly name?: string | undefined
  readonly label: string
  readonly description?: string | undefined
  readonly kind: FieldKind
  readonly required: boolean
  readonly unique: boolean
  readonly default?: unknown
  /** Calculates default values, in place of `default`. */
  readonly defaultFormula?: string | undefined
  readonly options: OptionsDraft
}

export type FieldCheckContext = OptionsContext & {
  readonly id: FieldId
  readonly takenNames: ReadonlySet<string>
  /** Whether the collection already has another status field. */
  readonly hasStatusField: boolean
  /** Checks a formula for default values with the fields that its author can read. */
  readonly checkDefaultFormula: (formula: string, field: Field) => Result<string, readonly PartProblem[]>
}

export function checkField(draft: FieldDraft, context: FieldCheckContext): Result<Field, readonly PartProblem[]> {
  const problems: PartProblem[] = [...unknownOptions(draft), ...severalUniqueLinks(draft)]
  const name = draft.name ?? nameFromLabel(draft.label, context.takenNames)
  if (!isFieldName(name)) problems.push(partProblem('name', 'bad-name', NAME_RULE))
  else if (context.takenNames.has(name))
    problems.push(partProblem('name', 'name-taken', `A field named “${name}” already exists.`))
  if (draft.unique && !canBeUnique(draft.kind)) {
    problems.push(partProblem('unique', 'cannot-be-unique', 'Fields of this type can’t be unique.'))
  }

  if (isVirtual(draft) && draft.required) problems.push(partProblem('required', 'read-only', NEVER_ENTERED))
  if (draft.kind === 'state' && context.hasStatusField) problems.push(partProblem('kind', 'second-state', SECOND_STATE))

  const options = optionRulesOf(draft.kind).checkOptions(draft.options, context, {
    id: context.id,
    name,
    label: draft.label.trim(),
  })
  const description = draft.description?.trim()
  if (!options.ok) return fail([...problems, ...options.fault])

  // Kind and options were validated together, but the compiler can't infer that.
  const field = {
    id: context.id,
    name,
    label: draft.label.trim(),
    ...(description && { description }),
    kind: draft.kind,
    required: draft.required,
    // Auto numbers are never reused.
    unique: draft.unique || draft.kind === 'auto-number',
    default: null,
    options: options.value,
  } as unknown as Field

  return problems.length > 0 ? fail(problems) : withAnyDefault(field, draft, context)
}

/** A formula replaces a constant. */
function withAnyDefault(
  field: Field,
  { defaultFormula = '', default: constant }: FieldDraft,
  { checkDefaultFormula }: FieldCheckContext,
): Result<Field, readonly PartProblem[]> {
  if (defaultFormula.trim() === '') return withDefault(field, constant)
  const formula = checkDefaultFormula(defaultFormula, field)
  return formula.ok ? ok({ ...field, defaultFormula: formula.value }) : formula
}

/** One link can be unique, but not several. */
function severalUniqueLinks({ kind, unique, options }: FieldDraft): PartProblem[] {
  const isList = kind === 'relation' && options.many === true
  return unique && isList ? [partProblem('unique', 'cannot-be-unique', SEVERAL_LINKS)] : []
}

const SEVERAL_LINKS = 'Only a field with a single linked record can be unique.'

const NAME_RULE =
  'Names start with a lowercase letter and use only letters, digits and underscores. Filter keywords are reserved.'

const NEVER_ENTERED = 'Fields of this type can’t be required, because their values are computed.'

const SECOND_STATE = 'A collection can have only one status field. Use a select field instead.'

function withDefault(field: Field, given: unknown): Result<Field, readonly PartProblem[]> {
  if (given === undefined || given === null || field.kind === 'files') return ok(field)
  if (field.kind === 'auto-number')
    return fail([
      partProblem(
        'default',
        'counted',
        'Autonumber fields can’t have a default value, because the server assigns their values.',
      ),
    ])
  if (isVirtual(field)) return fail([partProblem('default', 'computed', NO_DEFAULT)])
  const checked = checkValue(field, given)
  if (!checked.ok) return fail([partProblem('default', checked.fault.code, checked.fault.message)])
  if (hasReferences(checked.value)) return fail([partProblem('default', 'not-for-all', REFERENCES_IN_DEFAULT)])
  return ok({ ...field, default: defaultOf(checked.value) } as Field)
}

const NO_DEFAULT = 'Calculated fields can’t have a default value.'

const REFERENCES_IN_DEFAULT = 'A default value can’t contain files or mentions.'

const defaultOf = (value: FieldValue): FieldValue => (isEmptyValue(value) ? null : value)

function unknownOptions(draft: FieldDraft): PartProblem[] {
  const known: ReadonlySet<string> = new Set(optionRulesOf(draft.kind).optionNames)
  return Object.entries(draft.options)
    .filter(([name, value]) => value !== undefined && !known.has(name))
    .map(([name]) =>
      partProblem(
        `options.${name}`,
        'unknown-option',
        `Fields of type ${draft.kind} don’t support the option “${name}”.`,
      ),
    )
}
