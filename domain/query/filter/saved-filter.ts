import { MAX_FILTER_DEPTH } from '../query-limits.ts'
import type { Collection } from '../../collections/collection.ts'
import { hasManyEntries, hasSelectOptions, linkedCollection } from '../../fields/field.ts'
import { findOption, optionName } from '../../fields/select.ts'
import type { CollectionId } from '../../shared/ids.ts'
import { type Leaf, optionField } from '../check/checked-filter.ts'
import {
  type Comparison,
  type Filter,
  type FilterLiteral,
  type FormulaCondition,
  type Operator,
  isFieldOperand,
  isList,
  pathsOf,
} from './filter.ts'
import { formulaById, formulaByName, namesInFormula } from '../../formulas/formula-fields.ts'
import { readsText } from './operators.ts'
import { findLeaf, fullyVisible } from '../check/query-context.ts'

export type PathContext = {
  readonly collection: Collection
  readonly collectionOf: (id: CollectionId) => Collection | undefined
}

/** Field in a path, with the collection that contains it. */
export type PathPart = { readonly collection: Collection; readonly leaf: Leaf }

/** Resolves each name regardless of permissions; undefined if a name is unknown. */
export function partsOfPath(path: string, { collection, collectionOf }: PathContext): readonly PathPart[] | undefined {
  const parts: PathPart[] = []
  let current: Collection | undefined = collection
  for (const name of path.split('.')) {
    const leaf: Leaf | undefined = current && findLeaf(fullyVisible(current), name)
    if (!current || !leaf) return undefined
    parts.push({ collection: current, leaf })
    const target: CollectionId | undefined = leaf.type === 'field' ? linkedCollection(leaf.field) : undefined
    current = target === undefined ? undefined : target === collection.id ? collection : collectionOf(target)
  }
  return parts
}

/** The conditions of a filter, without its groups. */
export function conditionsOf(filter: Filter): readonly (Comparison | FormulaCondition)[] {
  if ('all' in filter) return filter.all.flatMap(conditionsOf)
  return 'any' in filter ? filter.any.flatMap(conditionsOf) : [filter]
}

/**
 * The comparisons of a filter, for finding out what it reads. A formula counts as one text comparison for each of its
 * fields, because it reads options by name.
 */
export const comparisonsOf = (filter: Filter): readonly Comparison[] =>
  conditionsOf(filter).flatMap((condition): readonly Comparison[] =>
    'formula' in condition ? fieldsNamedIn(condition).map((field) => ({ field, op: '~', value: '' })) : [condition],
  )

/** Names or IDs of the fields in a formula; the ID of the record if there are none. */
function fieldsNamedIn({ formula }: FormulaCondition): readonly string[] {
  const named = namesInFormula(formula)
  return named.length === 0 ? ['id'] : named
}

/** Replaces field and option names with IDs, so that renames don't break filters; unknown names are kept. */
export const filterById = (filter: Filter, context: PathContext): Filter => rewriteFilter(filter, context, BY_ID)

/** Replaces IDs with current names, for display. */
export const filterByName = (filter: Filter, context: PathContext): Filter => rewriteFilter(filter, context, BY_NAME)

type NamingScheme = {
  readonly formula: (text: string, collection: Collection) => string
  readonly part: (part: PathPart) => string
  readonly choice: (field: Parameters<typeof findOption>[0], written: string) => string
}

const BY_ID: NamingScheme = {
  formula: formulaById,
  part: ({ leaf }) => (leaf.type === 'system' ? leaf.field : leaf.field.id),
  choice: (field, written) => findOption(field, written)?.id ?? written,
}

const BY_NAME: NamingScheme = {
  formula: formulaByName,
  part: ({ leaf }) => (leaf.type === 'system' ? leaf.field : leaf.field.name),
  choice: (field, written) => optionName(field, written) ?? written,
}

function rewriteFilter(filter: Filter, context: PathContext, scheme: NamingScheme): Filter {
  if ('all' in filter) return { all: filter.all.map((part) => rewriteFilter(part, context, scheme)) }
  if ('any' in filter) return { any: filter.any.map((part) => rewriteFilter(part, context, scheme)) }
  if ('formula' in filter) return { formula: scheme.formula(filter.formula, context.collection) }
  const { op, value } = filter
  const field = rewrittenPath(filter.field, context, scheme)
  if (isFieldOperand(value)) return { field, op, value: { field: rewrittenPath(value.field, context, scheme) } }
  if (value === undefined) return { field, op }
  const toLiteral = literalIn(partsOfPath(filter.field, context)?.at(-1)?.leaf, op, scheme)
  return { field, op, value: isList(value) ? value.map(toLiteral) : toLiteral(value) }
}

const rewrittenPath = (path: string, context: PathContext, scheme: NamingScheme): string =>
  partsOfPath(path, context)?.map(scheme.part).join('.') ?? path

/** Text operators search option names, so their values are text, not options. */
function literalIn(
  leaf: Leaf | undefined,
  op: Operator,
  { choice }: NamingScheme,
): (literal: FilterLiteral) => FilterLiteral {
  const field = optionField(leaf)
  if (!field || readsText(op)) return (literal) => literal
  return (literal) => (typeof literal === 'string' ? choice(field, literal) : literal)
}

/**
 * Unchecked filter that matches exactly the records that the given filter doesn't; undefined if the filter language
 * can't express it. In records in which a field of a formula isn't readable, neither matches. `negate` does the same for
 * checked filters and always succeeds.
 */
export function negateFilter(filter: Filter, context: PathContext): Filter | undefined {
  const negated = negateParts(filter, context)
  return negated && depthOf(negated) <= MAX_FILTER_DEPTH ? negated : undefined
}

function negateParts(filter: Filter, context: PathContext): Filter | undefined {
  if ('field' in filter) return negateComparison(filter, context)
  if ('formula' in filter) return { formula: `not(${filter.formula})` }
  const parts = 'all' in filter ? filter.all : filter.any
  const negated = parts.map((part) => negateParts(part, context))
  const whole = negated.filter((part) => part !== undefined)
  if (whole.length < parts.length) return undefined
  // Flattened, because negating a comparison can produce a nested group of the same type.
  if ('all' in filter) return { any: whole.flatMap((part) => ('any' in part ? part.any : [part])) }
  return { all: whole.flatMap((part) => ('all' in part ? part.all : [part])) }
}

function depthOf(filter: Filter): number {
  if ('field' in filter || 'formula' in filter) return 0
  const parts = 'all' in filter ? filter.all : filter.any
  return 1 + Math.max(0, ...parts.map(depthOf))
}

const OPPOSITES: { readonly [Op in Operator]?: Operator } = {
  '=': '!=',
  '!=': '=',
  '~': '!~',
  '!~': '~',
  'is empty': 'is not empty',
  'is not empty': 'is empty',
}

/** Inverse operators. For single values, “not below” means above, equal or empty. */
const REVERSED: { readonly [Op in Operator]?: Operator } = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' }

function negateComparison(comparison: Comparison, context: PathContext): Filter | undefined {
  const { field, op, value } = comparison
  const opposite = OPPOSITES[op]
  if (opposite) return value === undefined ? { field, op: opposite } : { field, op: opposite, value }
  if (op === 'in' && isList(value)) return { all: value.map((one) => ({ field, op: '!=', value: one })) }
  const paths = pathsOf(comparison)
  if (value === undefined || !paths.every((path) => hasOneOrder(path, context))) return undefined
  const isMissing = paths.map((path): Filter => ({ field: path, op: 'is empty' }))
  const reversed = REVERSED[op]
  if (reversed) return { any: [{ field, op: reversed, value }, ...isMissing] }
  const [low, high] = isList(value) ? value : []
  if (op !== 'between' || low === undefined || high === undefined) return undefined
  return { any: [{ field, op: '<', value: low }, { field, op: '>', value: high }, ...isMissing] }
}

/**
 * Whether “not below” means “at or above”. This isn't true of lists, or of options, because a deleted option has no
 * position.
 */
const hasOneOrder = (path: string, context: PathContext): boolean =>
  partsOfPath(path, context)?.every(
    ({ leaf }) => leaf.type === 'system' || !(hasManyEntries(leaf.field) || hasSelectOptions(leaf.field)),
  ) ?? false
