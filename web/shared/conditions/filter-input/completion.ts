import { type Field, type FieldKind, hasSelectOptions, shapeOf } from '#domain/fields/field.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import { FUNCTIONS, signatureOf } from '#domain/formulas/functions/functions.ts'
import { suggestionsAt } from '#domain/formulas/suggestions.ts'
import { takesField } from '#domain/query/check/check-field-comparison.ts'
import { OPERATORS, type Operator } from '#domain/query/filter/filter.ts'
import { OPERATOR_RULES, readsText, takesKind } from '#domain/query/filter/operators.ts'
import { foldText } from '#domain/shared/text.ts'
import { t } from '#web/i18n/t.ts'
import { isForGrants, momentShape, operatorWords } from '#web/shared/conditions/model/condition-tree.ts'
import type { UserAttribute } from '#web/shared/conditions/condition-options.ts'
import {
  type Expected,
  type CursorContext,
  cursorContextIn,
  type CurrentToken,
  type ValueContext,
} from './cursor-context.ts'
import { relativeDateOptions } from '#web/shared/conditions/model/relative-dates.ts'

export type CompletionOption = {
  readonly text: string
  /** A label, if the text alone is unclear. */
  readonly label?: string
  readonly is: 'field' | 'function' | 'operator' | 'value' | 'sign'
  readonly kind?: FieldKind
  readonly hue?: string
}

/** Suggestions and the text range they replace. */
export type Completion = {
  readonly from: number
  readonly to: number
  readonly options: readonly CompletionOption[]
  /** Includes suggestions that aren't shown. */
  readonly total: number
  /** Whether the suggestion completes a partly typed word. */
  readonly isBegun: boolean
}

export type CompletionContext = {
  /** Fields by full path, with the shortest paths first. */
  readonly fields: readonly Field[]
  readonly fieldsBehind: (path: string) => readonly Field[]
  readonly people: readonly { readonly id: string; readonly name: string }[]
  /** Null if there is no current user. */
  readonly me: string | null
  readonly ownNotes: readonly UserAttribute[]
  readonly isOfGrant: boolean
  readonly compares: (field: Field, op: Operator, other: Field) => boolean
  /** As `2026-11-20`. */
  readonly today: string
}

const MAX_OPTIONS = 60

/** Undefined if the text before the caret is invalid. */
export function completeFilter(text: string, caret: number, world: CompletionContext): Completion | undefined {
  const place = cursorContextIn(text, caret)
  if (!place) return completeFormula(text, caret, world)
  const { typed, expected } = place
  // Directly after a condition, a suggestion is inserted with a leading space.
  if (expected.is === 'joiner' && typed.text === '' && !/\s$/.test(text.slice(0, caret))) return undefined
  const needle = foldText(typed.text.replace(/^"/, ''))
  const options = [...ranked(optionsAt(place, world), needle, typed), ...functionOptions(place)]
  if (options.length === 0) return undefined
  const shown = options.slice(0, MAX_OPTIONS)
  return { from: typed.from, to: typed.to, options: shown, total: options.length, isBegun: needle !== '' }
}

/** Where the text is a formula rather than a comparison. */
function completeFormula(text: string, caret: number, { fields }: CompletionContext): Completion | undefined {
  const own = fields.filter(({ name }) => !name.includes('.'))
  const found = suggestionsAt(text, caret, own)
  const [first] = found
  if (!first) return undefined
  const options = found.map(({ is, text: name, label }): CompletionOption => ({ is, text: name, label }))
  return { from: first.from, to: first.to, options, total: options.length, isBegun: true }
}

/** Functions whose names start with the typed word; there are too many to suggest all. */
function functionOptions({ typed, expected }: CursorContext): readonly CompletionOption[] {
  const isPlace = expected.is === 'field' || (expected.is === 'value' && expected.at === 'alone')
  const word = typed.text.toLowerCase()
  if (!isPlace || typed.text !== typed.whole || !/^[a-z_]{2,}$/.test(word)) return []
  return [...FUNCTIONS]
    .filter(([name]) => name.startsWith(word))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, known]) => ({ text: `${name}(`, label: signatureOf(name, known), is: 'function' }))
}

/** Returns the new text and caret position. */
export function applyCompletion(
  text: string,
  { from, to }: Pick<Completion, 'from' | 'to'>,
  option: CompletionOption,
): { readonly text: string; readonly caret: number } {
  const [before, after] = [text.slice(0, from), text.slice(to)]
  const start = isApart(before, option) ? '' : ' '
  const goesOn = /[.(]$/.test(option.text)
  const end = goesOn || /^[ )]/.test(after) ? '' : ' '
  const written = `${before}${start}${option.text}${end}`
  // Skips an existing space.
  const step = !goesOn && after.startsWith(' ') ? 1 : 0
  return { text: written + after, caret: written.length + step }
}

const isApart = (before: string, { text }: CompletionOption): boolean =>
  before === '' || /[\s(.]$/.test(before) || text === ',' || text === ')'

function optionsAt({ typed, expected }: CursorContext, world: CompletionContext): readonly CompletionOption[] {
  switch (expected.is) {
    case 'field':
      return fieldOptions(typed, world)
    case 'operator':
      return operatorOptions(fieldOf(expected.field, world), world)
    case 'emptiness':
      return expected.isNegated ? [EMPTY] : [EMPTY, NOT_EMPTY]
    case 'list':
      return [{ text: '(', label: t('begin the list'), is: 'sign' }]
    case 'value':
      return valueOrFieldOptions(expected, typed, world)
    case 'nextInList':
      return [
        { text: ',', label: t('another value'), is: 'sign' },
        { text: ')', label: t('end the list'), is: 'sign' },
      ]
    case 'and':
      return [{ text: 'and', is: 'sign' }]
    case 'joiner':
      return joinerOptions(expected)
  }
}

const EMPTY: CompletionOption = { text: 'empty', is: 'operator' }
const NOT_EMPTY: CompletionOption = { text: t('not empty'), is: 'operator' }

const joinerOptions = ({ depth }: Extract<Expected, { is: 'joiner' }>): readonly CompletionOption[] => [
  { text: '&&', label: 'and', is: 'sign' },
  { text: '||', label: 'or', is: 'sign' },
  ...(depth > 0 ? [{ text: ')', label: t('end the group'), is: 'sign' } as const] : []),
]

const fieldOf = (path: string, { fields, fieldsBehind }: CompletionContext): Field | undefined =>
  fields.find(({ name, id }) => name === path || id === path) ??
  fieldsBehind(path.slice(0, Math.max(0, path.lastIndexOf('.')))).find(({ name }) => name === path)

/** After a dot, suggests the fields of the related collection. */
function fieldOptions(
  { text }: CurrentToken,
  { fields, fieldsBehind }: CompletionContext,
): readonly CompletionOption[] {
  const point = text.lastIndexOf('.')
  const offered = point < 0 ? fields : fieldsBehind(text.slice(0, point))
  return offered.flatMap(({ name, label, kind }): readonly CompletionOption[] => [
    { text: name, label, kind, is: 'field' },
    ...((kind === 'relation' || kind === 'reverse') && fieldsBehind(name).length > 0
      ? [{ text: `${name}.`, label: `${label} ›`, kind, is: 'field' } as const]
      : []),
  ])
}

function operatorOptions(field: Field | undefined, { isOfGrant }: CompletionContext): readonly CompletionOption[] {
  const isTaken = (op: Operator): boolean =>
    field === undefined || (takesKind(op, valueField(field).kind) && (!isOfGrant || isForGrants(op, field)))
  return OPERATORS.filter(isTaken).map((op) => ({
    text: op,
    label: field ? operatorWords(op, field) : OPERATOR_RULES[op].label,
    is: 'operator',
  }))
}

type ValueExpected = { readonly field: string; readonly op: Operator; readonly at: ValueContext }

function valueOptions(
  { field: path, op }: ValueExpected,
  typed: CurrentToken,
  world: CompletionContext,
): readonly CompletionOption[] {
  const field = fieldOf(path, world)
  if (!field) return []
  const value = (text: string, label?: string): CompletionOption => ({ text, is: 'value', ...(label && { label }) })
  if (valueField(field).kind === 'checkbox') return [value('true', 'yes'), value('false', 'no')]
  const moment = momentShape(field)
  if (moment) return relativeDateOptions(moment, typed.text, world.today).map(({ text, label }) => value(text, label))
  const own = canBeOwn(op, world.isOfGrant) ? world.ownNotes.map((note) => value(`@me.${note.name}`, note.label)) : []
  if (hasSelectOptions(field))
    return [...field.options.choices.map((choice) => ({ ...value(quoted(choice.name)), hue: choice.color })), ...own]
  if (field.kind !== 'user') return shapeOf(valueField(field)) === 'number' ? [] : own
  if (readsText(op)) return world.people.map(({ name }) => value(quoted(name)))
  const me = world.me === null ? [] : [value('@me', world.me)]
  return [...me, ...world.people.map(({ id, name }) => value(quoted(id), name))]
}

/** Suggests dates after fields, because they are only examples; other values are complete and come first. */
function valueOrFieldOptions(
  expected: ValueExpected,
  typed: CurrentToken,
  world: CompletionContext,
): readonly CompletionOption[] {
  const [values, others] = [valueOptions(expected, typed, world), otherFieldOptions(expected, typed, world)]
  const field = fieldOf(expected.field, world)
  return field && momentShape(field) ? [...others, ...values] : [...values, ...others]
}

/** Suggests comparable fields, and relations that lead to such fields, except inside quotes. */
function otherFieldOptions(
  { field: path, op, at }: ValueExpected,
  typed: CurrentToken,
  world: CompletionContext,
): readonly CompletionOption[] {
  const field = fieldOf(path, world)
  if (!field || at !== 'alone' || !takesField(op) || !/^(?:[a-z]\w*\.?)*$/i.test(typed.text)) return []
  const fits = (name: string): boolean => {
    const other = fieldOf(name, world)
    return other !== undefined && other.name !== field.name && world.compares(field, op, other)
  }
  return fieldOptions(typed, world).filter(({ text }) =>
    text.endsWith('.') ? world.fieldsBehind(text.slice(0, -1)).some(({ name }) => fits(name)) : fits(text),
  )
}

/**
 * User attributes support only `=`, `in` and `!=`. Grants exclude `!=`, because a missing attribute would match every
 * record.
 */
const canBeOwn = (op: Operator, isOfGrant: boolean): boolean => op === '=' || op === 'in' || (op === '!=' && !isOfGrant)

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** Prefix matches come first; words that are already complete aren't suggested. */
function ranked(
  options: readonly CompletionOption[],
  needle: string,
  typed: CurrentToken,
): readonly CompletionOption[] {
  const others = options.filter(({ text }) => text !== typed.whole)
  const isEnded = others.length < options.length && typed.whole !== ''
  if (isEnded && !others.some(({ text }) => text === `${typed.whole}.`)) return []
  if (needle === '') return others
  const rankOf = ({ text, label = '' }: CompletionOption): number => {
    const words = [foldText(text.replace(/^"/, '')), foldText(label)]
    if (words.some((word) => word.startsWith(needle))) return 0
    return words.some((word) => word.includes(needle)) ? 1 : 2
  }
  return others
    .map((option) => ({ option, rank: rankOf(option) }))
    .filter(({ rank }) => rank < 2)
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ option }) => option)
}
