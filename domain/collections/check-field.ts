import {
  OPTION_COLORS,
  type SelectOption,
  type OptionColor,
  type Field,
  type FieldKind,
  type FieldValue,
  type OptionsOf,
  type SelectFieldOptions,
} from '../fields/field.ts'
import { canBeUnique, checkValue, isEmptyValue } from '../fields/kinds.ts'
import { foldText } from '../shared/text.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import { type PartProblem, partProblem } from '../shared/problem.ts'
import { type Result, fail, ok } from '../shared/result.ts'
import { textPattern } from '../shared/text-pattern.ts'
import { hasReferences } from '#domain/rich-text/document-references.ts'
import { acceptFault } from '#domain/uploads/file-type-groups.ts'
import { isFieldName, nameFromLabel } from './names.ts'

/** The submitted options; which ones a kind supports is checked here. */
export type OptionsDraft = {
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly pattern?: string | undefined
  readonly decimals?: number | undefined
  readonly choices?:
    | readonly { readonly id?: string | undefined; readonly name: string; readonly color?: OptionColor | undefined }[]
    | undefined
  readonly collection?: string | undefined
  readonly many?: boolean | undefined
  readonly accept?: readonly string[] | undefined
  readonly maxBytes?: number | undefined
  readonly stripLocation?: boolean | undefined
}

export type FieldDraft = {
  readonly name?: string | undefined
  readonly label: string
  readonly kind: FieldKind
  readonly required: boolean
  readonly unique: boolean
  readonly default?: unknown
  readonly options: OptionsDraft
}

export type FieldCheckContext = {
  readonly id: FieldId
  /** For options without an ID. */
  readonly newId: () => string
  /** Names of the collection's other fields. */
  readonly takenNames: ReadonlySet<string>
  /** Whether another field is the status field. */
  readonly hasStatusField: boolean
  /** Existing options; a draft can name their IDs. */
  readonly knownOptions: readonly SelectOption[]
  /** The ID of a collection the actor can see. */
  readonly findCollection: (nameOrId: string) => CollectionId | undefined
}

const OPTIONS_BY_KIND: { readonly [Kind in FieldKind]: readonly (keyof OptionsDraft)[] } = {
  text: ['min', 'max', 'pattern'],
  'long-text': ['min', 'max', 'pattern'],
  'rich-text': [],
  number: ['min', 'max', 'decimals'],
  checkbox: [],
  date: [],
  'date-time': [],
  select: ['choices'],
  'multi-select': ['choices'],
  state: ['choices'],
  email: ['min', 'max', 'pattern'],
  url: ['min', 'max', 'pattern'],
  phone: ['min', 'max', 'pattern'],
  relation: ['collection', 'many'],
  user: ['many'],
  files: ['max', 'accept', 'maxBytes', 'stripLocation'],
  'auto-number': [],
  json: [],
}

/** Checks a draft and returns the field or every problem. */
export function checkField(draft: FieldDraft, context: FieldCheckContext): Result<Field, readonly PartProblem[]> {
  const problems: PartProblem[] = [...unknownOptions(draft)]
  const name = draft.name ?? nameFromLabel(draft.label, context.takenNames)
  if (!isFieldName(name)) problems.push(partProblem('name', 'bad-name', NAME_RULE))
  else if (context.takenNames.has(name))
    problems.push(partProblem('name', 'name-taken', `A field named “${name}” already exists.`))
  if (draft.unique && !canBeUnique(draft.kind)) {
    problems.push(partProblem('unique', 'cannot-be-unique', 'This field type can’t be unique.'))
  }

  if (draft.kind === 'state' && context.hasStatusField) problems.push(partProblem('kind', 'second-state', SECOND_STATE))

  const options = checkOptions(draft, context)
  if (!options.ok) return fail([...problems, ...options.fault])

  // Kind and options were checked together; the compiler can't relate them.
  const field = {
    id: context.id,
    name,
    label: draft.label.trim(),
    kind: draft.kind,
    required: draft.required,
    // Auto numbers are never assigned twice.
    unique: draft.unique || draft.kind === 'auto-number',
    default: null,
    options: options.value,
  } as unknown as Field

  return problems.length > 0 ? fail(problems) : withDefault(field, draft.default)
}

const NAME_RULE =
  'Names start with a lowercase letter and use only letters, digits and underscores. Words of the filter language are reserved.'

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
  const checked = checkValue(field, given)
  if (!checked.ok) return fail([partProblem('default', checked.fault.code, checked.fault.message)])
  if (hasReferences(checked.value)) return fail([partProblem('default', 'not-for-all', REFERENCES_IN_DEFAULT)])
  return ok({ ...field, default: defaultOf(checked.value) } as Field)
}

const REFERENCES_IN_DEFAULT = 'A default value can’t contain files or mentions.'

const defaultOf = (value: FieldValue): FieldValue => (isEmptyValue(value) ? null : value)

function unknownOptions(draft: FieldDraft): PartProblem[] {
  return Object.entries(draft.options)
    .filter(([name, value]) => value !== undefined && !OPTIONS_BY_KIND[draft.kind].some((known) => known === name))
    .map(([name]) => partProblem(`options.${name}`, 'unknown-option', `A ${draft.kind} field has no option “${name}”.`))
}

type AnyOptions = OptionsOf[FieldKind]

function checkOptions(draft: FieldDraft, context: FieldCheckContext): Result<AnyOptions, readonly PartProblem[]> {
  const { options } = draft
  switch (draft.kind) {
    case 'text':
    case 'long-text':
    case 'email':
    case 'url':
    case 'phone':
      return checkTextOptions(options)
    case 'number':
      return (
        checkRange(options) ?? ok(definedOptions({ min: options.min, max: options.max, decimals: options.decimals }))
      )
    case 'select':
    case 'multi-select':
      return checkOptionList(options.choices ?? [], context)
    case 'state':
      return checkStatuses(options.choices ?? [], context)
    case 'relation':
      return checkRelation(options, context)
    case 'user':
      return ok({ many: options.many ?? false })
    case 'files':
      return checkFilesOptions(options)
    case 'rich-text':
    case 'checkbox':
    case 'date':
    case 'date-time':
    case 'auto-number':
    case 'json':
      return ok({})
  }
}

function checkTextOptions(options: OptionsDraft): Result<AnyOptions, readonly PartProblem[]> {
  const patternFault = options.pattern === undefined ? undefined : faultInPattern(options.pattern)
  if (patternFault !== undefined) return fail([partProblem('options.pattern', 'bad-pattern', patternFault)])
  return checkRange(options) ?? ok(definedOptions({ min: options.min, max: options.max, pattern: options.pattern }))
}

function checkRange({ min, max }: OptionsDraft): Result<never, readonly PartProblem[]> | undefined {
  if (min === undefined || max === undefined || min <= max) return undefined
  return fail([partProblem('options.min', 'bad-range', 'Minimum must not be greater than maximum.')])
}

function checkRelation(options: OptionsDraft, context: FieldCheckContext): Result<AnyOptions, readonly PartProblem[]> {
  const collection = context.findCollection(options.collection ?? '')
  if (collection === undefined) {
    return fail([partProblem('options.collection', 'unknown-collection', 'Choose the linked collection.')])
  }
  return ok({ collection, many: options.many ?? false })
}

function checkFilesOptions(options: OptionsDraft): Result<AnyOptions, readonly PartProblem[]> {
  const accept = options.accept?.map((entry) => entry.trim())
  const fault = accept?.map(acceptFault).find((each) => each !== undefined)
  if (fault !== undefined) return fail([partProblem('options.accept', 'bad-type', fault)])
  const { max, maxBytes } = options
  return ok(definedOptions({ max, accept, maxBytes, stripLocation: options.stripLocation === true ? true : undefined }))
}

/** Every record has a status, so at least one is needed. */
function checkStatuses(
  drafts: NonNullable<OptionsDraft['choices']>,
  context: FieldCheckContext,
): Result<SelectFieldOptions, readonly PartProblem[]> {
  if (drafts.length > 0) return checkOptionList(drafts, context)
  return fail([
    partProblem('options.choices', 'no-choices', 'Add at least one status. New records start with the first one.'),
  ])
}

function checkOptionList(
  drafts: NonNullable<OptionsDraft['choices']>,
  context: FieldCheckContext,
): Result<SelectFieldOptions, readonly PartProblem[]> {
  const problems: PartProblem[] = []
  const seen = new Set<string>()
  const choices = drafts.map((draft, at): SelectOption => {
    const name = draft.name.trim()
    const folded = foldText(name)
    if (seen.has(folded))
      problems.push(partProblem(`options.choices.${at}`, 'name-taken', `“${name}” is listed twice.`))
    seen.add(folded)
    const known = context.knownOptions.find((choice) => choice.id === draft.id)
    if (draft.id !== undefined && !known) {
      problems.push(partProblem(`options.choices.${at}.id`, 'unknown-choice', 'There is no option with this ID.'))
    }
    return { id: known?.id ?? context.newId(), name, color: draft.color ?? known?.color ?? nextColor(at) }
  })
  return problems.length > 0 ? fail(problems) : ok({ choices })
}

/** Default option colors in wide steps around the color circle, so neighbors differ. */
export const nextColor = (at: number): OptionColor => OPTION_COLORS[(at * 5 + 8) % OPTION_COLORS.length] ?? 'blue'

function faultInPattern(pattern: string): string | undefined {
  if (!isRegularExpression(pattern)) return 'The pattern isn’t a valid regular expression.'
  if (textPattern(pattern) !== undefined) return undefined
  return 'Patterns can’t use backreferences (such as \\1), lookbehind, or repetitions of more than 2,000 parts.'
}

function isRegularExpression(pattern: string): boolean {
  // RegExp reports a syntax error only by throwing.
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}

function definedOptions<Options extends object>(
  options: Options,
): { [Key in keyof Options]?: Exclude<Options[Key], undefined> } {
  // Object.fromEntries loses the key types.
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Options]?: Exclude<Options[Key], undefined>
  }
}
