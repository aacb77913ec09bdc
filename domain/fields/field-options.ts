import type { CollectionId } from '../shared/ids.ts'
import { type PartProblem, partProblem } from '../shared/problem.ts'
import { type Result, fail, ok } from '../shared/result.ts'
import { foldText } from '../shared/text.ts'
import type { Json } from '#domain/shared/json.ts'
import { textPattern } from '../shared/text-pattern.ts'
import {
  type Field,
  type FormulaOptions,
  type NoOptions,
  type NumberFormat,
  type OptionColor,
  type ReverseOptions,
  type RollupFunction,
  type RollupKind,
  type RollupOptions,
  type SelectFieldOptions,
  type SelectOption,
  type TextOptions,
} from './field.ts'

/** Submitted field options; each kind supports a subset of them. */
export type OptionsDraft = {
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly pattern?: string | undefined
  readonly decimals?: number | undefined
  readonly format?: NumberFormat | undefined
  readonly currency?: string | undefined
  readonly unit?: string | undefined
  readonly grouping?: boolean | undefined
  readonly choices?:
    | readonly { readonly id?: string | undefined; readonly name: string; readonly color?: OptionColor | undefined }[]
    | undefined
  readonly collection?: string | undefined
  readonly many?: boolean | undefined
  /** Name or ID of the relation, of a reverse side. */
  readonly relation?: string | undefined
  /** Names or IDs of the fields that a reverse side lists. */
  readonly fields?: readonly string[] | undefined
  readonly accept?: readonly string[] | undefined
  readonly maxBytes?: number | undefined
  readonly stripLocation?: boolean | undefined
  readonly formula?: string | undefined
  /** Names or IDs of the relations and reverse sides that lead to the linked records, of a lookup, count or rollup. */
  readonly path?: readonly string[] | undefined
  /** Name or ID of a field of these records. */
  readonly field?: string | undefined
  readonly function?: RollupFunction | undefined
  /** Text, or a filter tree. */
  readonly filter?: Json | undefined
}

export type ReverseDraft = Pick<OptionsDraft, 'collection' | 'relation' | 'fields'>

export type OptionsContext = {
  /** Generates IDs for options that don't have one. */
  readonly newId: () => string
  /** Existing options, whose IDs a draft can refer to. */
  readonly knownOptions: readonly SelectOption[]
  readonly findCollection: (nameOrId: string) => CollectionId | undefined
  /** The relation of another or the same collection that links to this one and has no reverse side yet. */
  readonly findRelation: (draft: ReverseDraft) => Result<ReverseOptions, readonly PartProblem[]>
  /** Checks a formula with the fields that its author can read. */
  readonly checkFormula: (
    formula: string,
    field: Pick<Field, 'id' | 'name' | 'label'>,
  ) => Result<FormulaOptions, readonly PartProblem[]>
  /** Checks a lookup, count or rollup, whose author must be able to read everything that it discloses. */
  readonly checkRollup: (
    kind: RollupKind,
    options: OptionsDraft,
    field: Pick<Field, 'id' | 'name' | 'label'>,
  ) => Result<RollupOptions, readonly PartProblem[]>
}

/** Validates a kind's options; `optionNames` lists the supported ones. */
export type OptionRules<Options> = {
  readonly optionNames: readonly (keyof OptionsDraft)[]
  /** `field` identifies the field that has the options. */
  readonly checkOptions: (
    options: OptionsDraft,
    context: OptionsContext,
    field: Pick<Field, 'id' | 'name' | 'label'>,
  ) => Result<Options, readonly PartProblem[]>
}

export const WITHOUT_OPTIONS: OptionRules<NoOptions> = { optionNames: [], checkOptions: () => ok({}) }

export const TEXT_OPTIONS: OptionRules<TextOptions> = {
  optionNames: ['min', 'max', 'pattern'],
  checkOptions: checkTextOptions,
}

export const OPTION_LIST: OptionRules<SelectFieldOptions> = {
  optionNames: ['choices'],
  checkOptions: ({ choices = [] }, context) => checkOptionList(choices, context),
}

/** Every record has a status, so at least one option is required. */
export const STATUS_LIST: OptionRules<SelectFieldOptions> = {
  optionNames: ['choices'],
  checkOptions: ({ choices = [] }, context) =>
    choices.length > 0
      ? checkOptionList(choices, context)
      : fail([
          partProblem(
            'options.choices',
            'no-choices',
            'Add at least one status. New records start with the first one.',
          ),
        ]),
}

function checkTextOptions(options: OptionsDraft): Result<TextOptions, readonly PartProblem[]> {
  const patternFault = options.pattern === undefined ? undefined : faultInPattern(options.pattern)
  if (patternFault !== undefined) return fail([partProblem('options.pattern', 'bad-pattern', patternFault)])
  return checkRange(options) ?? ok(definedOptions({ min: options.min, max: options.max, pattern: options.pattern }))
}

export function checkRange({ min, max }: OptionsDraft): Result<never, readonly PartProblem[]> | undefined {
  if (min === undefined || max === undefined || min <= max) return undefined
  return fail([partProblem('options.min', 'bad-range', 'The minimum can’t be greater than the maximum.')])
}

function checkOptionList(
  drafts: NonNullable<OptionsDraft['choices']>,
  context: OptionsContext,
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
    return { id: known?.id ?? context.newId(), name, color: draft.color ?? known?.color ?? NEW_OPTION_COLOR }
  })
  return problems.length > 0 ? fail(problems) : ok({ choices })
}

/** Neutral color, because users would read a meaning into any other. */
export const NEW_OPTION_COLOR: OptionColor = 'gray'

function faultInPattern(pattern: string): string | undefined {
  if (!isRegularExpression(pattern)) return 'The pattern isn’t a valid regular expression.'
  if (textPattern(pattern) !== undefined) return undefined
  return 'Patterns can’t use backreferences (such as \\1), lookbehind, or repetitions that expand to more than 2,000 steps.'
}

function isRegularExpression(pattern: string): boolean {
  // The RegExp constructor reports syntax errors only by throwing.
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}

export function definedOptions<Options extends object>(
  options: Options,
): { [Key in keyof Options]?: Exclude<Options[Key], undefined> } {
  // `Object.fromEntries` loses the key types.
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Options]?: Exclude<Options[Key], undefined>
  }
}
