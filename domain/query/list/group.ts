import { canGroupBy, type Field, type FieldValue, hasManyEntries, hasSelectOptions } from '#domain/fields/field.ts'
import type { KeyValue } from '../../shared/compare-values.ts'
import { type Result, fail, ok } from '../../shared/result.ts'
import { environmentOfActor } from '../check/check-filter.ts'
import {
  type CheckedNode,
  type ComputedValue,
  type Leaf,
  type Source,
  computedAt,
  intervalId,
  leafOf,
  readableAt,
  systemLeaf,
} from '../check/checked-filter.ts'
import { didYouMean } from '../filter/did-you-mean.ts'
import {
  type QueryContext,
  type QueryEnvironment,
  type QueryFault,
  type VisibleCollection,
  calendarFor,
  findLeaf,
  invalidQuery,
  unknownField,
} from '../check/query-context.ts'
import { isLinkedValue, NO_PAST_VALUES, resolvePath, resolveTitle, visibleRelation } from '../check/resolve-path.ts'
import { kindOfLeaf } from '../filter/read-literal.ts'
import { checkFormula } from '../../formulas/check-formula.ts'
import { emptyConstant } from '../../formulas/expression.ts'
import { expressionOf, formulaScope } from '../../formulas/formula-fields.ts'
import {
  MAX_AGGREGATES,
  MAX_GROUP_FIELDS,
  MAX_GROUP_LISTS,
  MAX_GROUP_REVERSE_SIDES,
  MAX_PER_PAGE,
} from '../query-limits.ts'
import { AGGREGATES, type AggregateName, GROUP_INTERVALS, type GroupInterval } from './aggregates.ts'
import { type SortItem, type SortPart, parseSort, partsOf, partsOfItem, splitList } from './sort.ts'

/** `text` is the aggregate as requested, used as the response key, such as `sum(amount)`. */
export type Aggregate =
  | { readonly type: 'count'; readonly text: string }
  | {
      readonly type: Exclude<AggregateName, 'count'>
      readonly text: string
      readonly field: Field<'number'>
      readonly readable: CheckedNode | null
      readonly computed?: ComputedValue
    }

export const aggregateLeaf = ({ field, readable, computed }: Exclude<Aggregate, { type: 'count' }>): Leaf =>
  leafOf(field, readable, computed)

/**
 * Group-by field with its sort key components, which order groups like the sorted list. `name` includes the interval.
 * `stored`: for an interval, the stored date from which its first day is computed. `entries` leads
 * to the values of a field with several; a record is in the group of each of them, and `leaf` has a single one.
 */
export type GroupField = {
  readonly name: string
  readonly leaf: Leaf
  readonly parts: readonly SortPart[]
  readonly stored?: Leaf
  readonly entries?: Source
}

/** The leaf whose stored values determine the group. */
export const storedLeaf = ({ leaf, stored }: GroupField): Leaf => stored ?? leaf

export type EntriesField = GroupField & { readonly entries: Source }

/** Group-by fields with several values, each once. */
export const entriesFields = (by: readonly GroupField[]): readonly EntriesField[] => [
  ...new Map(
    by.flatMap((field) => (field.entries ? [[field.name, { ...field, entries: field.entries }] as const] : [])),
  ).values(),
]

export type GroupQueryInput = {
  readonly by: string
  readonly aggregates?: string | undefined
  /** One of the aggregates; descending with `-`. */
  readonly order?: string | undefined
  readonly page?: number | undefined
  readonly perPage: number
}

export type CheckedGroupQuery = {
  readonly by: readonly GroupField[]
  /** Sort key components of all group-by fields, in order. */
  readonly parts: readonly SortPart[]
  readonly aggregates: readonly Aggregate[]
  /** undefined: in the order of the list. */
  readonly order?: GroupOrder | undefined
  readonly offset: number
  readonly limit: number
}

/** Orders groups by the aggregate at this position; groups without a value come last. */
export type GroupOrder = { readonly at: number; readonly isDescending: boolean }

/** Group key values in the order of `by`, and the ordinal of the group's first record in the sorted list. */
export type RecordGroup = {
  readonly key: readonly FieldValue[]
  readonly count: number
  readonly aggregates: readonly (number | null)[]
  readonly offset: number
}

/** Validates a grouping such as `status,-dueOn:month` with `count,sum(amount)`. */
export function checkGroupQuery(input: GroupQueryInput, context: QueryContext): Result<CheckedGroupQuery, QueryFault> {
  const limit = Math.min(MAX_PER_PAGE, Math.max(1, Math.trunc(input.perPage)))
  const offset = (Math.max(1, Math.trunc(input.page ?? 1)) - 1) * limit
  const environment = environmentOfActor(context)
  if (!environment) return ok({ by: [], parts: [], aggregates: [], offset, limit })

  const by = checkGroupFields(input.by, environment)
  if (!by.ok) return by
  const aggregates = checkAggregates(input.aggregates ?? '', environment)
  if (!aggregates.ok) return aggregates
  const order = checkGroupOrder(input.order ?? '', aggregates.value)
  if (!order.ok) return order
  const parts = by.value.flatMap((field) => field.parts)
  return ok({ by: by.value, parts, aggregates: aggregates.value, order: order.value, offset, limit })
}

function checkGroupOrder(
  requested: string,
  aggregates: readonly Aggregate[],
): Result<GroupOrder | undefined, QueryFault> {
  if (requested === '') return ok(undefined)
  const isDescending = requested.startsWith('-')
  const at = aggregates.findIndex(({ text }) => text === (isDescending ? requested.slice(1) : requested))
  if (at !== -1) return ok({ at, isDescending })
  const message = `“${requested.slice(0, 80)}” isn’t one of the requested aggregates: ${aggregates.map(({ text }) => text).join(', ')}.`
  return invalidQuery('group', message, 0, 'order')
}

/**
 * Aggregates over the entire list, without a group-by field: one group with every record, or none if the list is empty.
 */
export function checkAggregatesQuery(aggregates: string, context: QueryContext): Result<CheckedGroupQuery, QueryFault> {
  const environment = environmentOfActor(context)
  const checked = environment ? checkAggregates(aggregates, environment) : ok([])
  return checked.ok ? ok({ by: [], parts: [], aggregates: checked.value, offset: 0, limit: 1 }) : checked
}

function checkGroupFields(text: string, environment: QueryEnvironment): Result<readonly GroupField[], QueryFault> {
  const items = parseSort(text)
  if (items.length === 0) return invalidQuery('group', 'Specify a field to group by.', 0)
  const tooMany = items[MAX_GROUP_FIELDS]
  if (tooMany) return invalidQuery('group', `Can’t group by more than ${MAX_GROUP_FIELDS} fields.`, tooMany.position)

  const fields: GroupField[] = []
  for (const item of items) {
    const field = checkGroupField(item, environment)
    if (!field.ok) return invalidQuery('group', field.fault, item.position)
    fields.push(field.value)
    if (multiplies(fields)) return invalidQuery('group', TOO_MANY_LISTS, item.position)
  }
  return ok(fields)
}

function multiplies(fields: readonly GroupField[]): boolean {
  const several = entriesFields(fields)
  const reversed = several.filter(({ entries }) => entries.steps[0]?.isReverse === true)
  return several.length > MAX_GROUP_LISTS || reversed.length > MAX_GROUP_REVERSE_SIDES
}

const TOO_MANY_LISTS = `Can’t group by more than ${MAX_GROUP_LISTS} fields with several values, or more than ${MAX_GROUP_REVERSE_SIDES} of the type “Linked from”, because a record is counted in every combination of their values.`

function checkGroupField(item: SortItem, environment: QueryEnvironment): Result<GroupField, string> {
  if (item.path.includes(':')) return checkIntervalField(item, environment)
  const leaf = findLeaf(environment.home, item.path)
  if (!leaf) return fail(unknownField(environment.home, item.path))
  if (leaf.type === 'field' && hasManyEntries(leaf.field)) {
    const single = singleField(leaf.field)
    if (single) return checkEntries(item, { single, leaf }, environment)
  }
  if (!canGroupByLeaf(leaf)) return fail(`Can’t group by “${item.path}”. Choose a field with a single short value.`)

  const parts = partsOfItem(item, environment)
  return parts.ok ? ok({ name: leaf.type === 'field' ? leaf.field.name : leaf.field, leaf, parts: parts.value }) : parts
}

/** The dates of an interval are grouped by its first day, in the workspace's time zone. */
function checkIntervalField(
  { path, isDescending }: SortItem,
  { home, context }: QueryEnvironment,
): Result<GroupField, string> {
  const [name = '', unit = ''] = path.split(':', 2)
  const interval = GROUP_INTERVALS.find((known) => known === unit)
  if (!interval || path !== `${name}:${interval}`)
    return fail(
      `“${path.slice(0, 80)}” isn’t a date field and an interval. Use ${GROUP_INTERVALS.join(', ')}, such as createdAt:month.`,
    )
  const leaf = findLeaf(home, name)
  if (!leaf) return fail(unknownField(home, name))
  if (context.isPast === true && isLinkedValue(home, leaf)) return fail(NO_PAST_VALUES)
  const kind = kindOfLeaf(leaf)
  if (kind !== 'date' && kind !== 'date-time')
    return fail(`“${name}” isn’t a date, so it can’t be grouped by ${interval}.`)
  const start = startOfInterval(leaf, interval, home)
  const parts: readonly SortPart[] = [{ steps: [], leaf: start, keyType: 'value', isDescending }]
  return ok({ name: start.field.name, leaf: start, parts, ...(computedAt(leaf) === undefined && { stored: leaf }) })
}

function startOfInterval(
  leaf: Leaf,
  interval: GroupInterval,
  home: VisibleCollection,
): Extract<Leaf, { type: 'field' }> {
  const { collection, hiddenFields } = home
  const { id, name, label } =
    leaf.type === 'field' ? leaf.field : { id: leaf.field, name: leaf.field, label: leaf.field }
  const scope = formulaScope(
    collection,
    (formula) => ok(expressionOf(collection, formula)),
    (each) => !hiddenFields.has(each.id),
  )
  const checked = checkFormula(`start_of(to_date(${id}), "${interval}")`, scope)
  const expression = checked.ok ? checked.value : emptyConstant('date')
  return {
    type: 'field',
    field: {
      id: intervalId(id, interval),
      name: `${name}:${interval}`,
      label,
      kind: 'date',
      required: false,
      unique: false,
      default: null,
      options: {},
    },
    readable: readableAt(leaf),
    computed: { expression, calendar: calendarFor(expression, home) },
  }
}

/** A field like this one with a single value; undefined if its values can’t form groups. */
function singleField(field: Field): Field | undefined {
  switch (field.kind) {
    case 'relation':
    case 'user':
      return { ...field, options: { ...field.options, many: false } } as Field
    case 'reverse': {
      const { collection } = field.options
      return { ...field, kind: 'relation', default: null, options: { collection, many: false } }
    }
    case 'multi-select':
      return { ...field, kind: 'select', default: null }
    default:
      return undefined
  }
}

type Entries = { readonly single: Field; readonly leaf: Leaf }

/** Only visible linked records form groups; without any, a record is in the group without a value. */
function checkEntries(
  item: SortItem,
  { single, leaf }: Entries,
  environment: QueryEnvironment,
): Result<GroupField, string> {
  const found = resolvePath(item.path, environment)
  if (!found.ok) return found
  const links = resolveTitle(found.value, environment)
  const entries = links
    ? { steps: links.steps, leaf: systemLeaf('id') }
    : visibleRelation({ steps: [], leaf }, environment)
  const own = { steps: [], leaf: leafOf(single, null) }
  return ok({ name: single.name, leaf: own.leaf, parts: partsOf(own, item.isDescending, environment), entries })
}

const canGroupByLeaf = (leaf: Leaf): boolean => (leaf.type === 'field' ? canGroupBy(leaf.field) : leaf.field !== 'id')

function checkAggregates(text: string, environment: QueryEnvironment): Result<readonly Aggregate[], QueryFault> {
  const reject = (message: string, position: number) => invalidQuery('group', message, position, 'aggregates')
  const requested = text.trim() === '' ? [] : splitList(text)
  const tooMany = requested[MAX_AGGREGATES]
  if (tooMany) return reject(`Can’t return more than ${MAX_AGGREGATES} aggregates.`, tooMany.position)

  const aggregates: Aggregate[] = []
  for (const one of requested) {
    const aggregate = checkAggregate(one.text, environment)
    if (!aggregate.ok) return reject(aggregate.fault, one.position)
    aggregates.push(aggregate.value)
  }
  return ok(aggregates)
}

function checkAggregate(text: string, { home, context }: QueryEnvironment): Result<Aggregate, string> {
  const [, name = '', path] = /^(\w+)(?:\(\s*([\w.]*)\s*\))?$/.exec(text) ?? []
  const type = AGGREGATES.find((known) => known === name)
  if (!type)
    return fail(
      `“${text.slice(0, 80)}” isn’t an aggregate. Use ${AGGREGATES.join(', ')}, such as sum(amount).${didYouMean(name || text, AGGREGATES)}`,
    )
  if (type === 'count')
    return path ? fail('count doesn’t accept a field: it counts the records in a group.') : ok({ type, text })
  if (path === undefined || path === '')
    return fail(`${type} requires the name of a number field, such as ${type}(amount).`)

  const leaf = findLeaf(home, path)
  if (!leaf) return fail(unknownField(home, path))
  if (context.isPast === true && isLinkedValue(home, leaf)) return fail(NO_PAST_VALUES)
  const isNumber = leaf.type === 'field' && leaf.field.kind === 'number'
  if (!isNumber) return fail(`“${path}” isn’t a number field, so ${type} can’t be calculated.`)
  const { computed } = leaf
  return ok({ type, text, field: leaf.field, readable: leaf.readable, ...(computed && { computed }) })
}

/** A field's group value is the last component of its sort key. */
export function groupKeyOf(by: readonly GroupField[], parts: readonly KeyValue[]): FieldValue[] {
  let end = 0
  return by.map(({ leaf, parts: own }) => {
    end += own.length
    return keyValueOf(leaf, parts[end - 1] ?? null)
  })
}

function keyValueOf(leaf: Leaf, value: KeyValue): FieldValue {
  if (value === null || leaf.type === 'system') return value
  if (leaf.field.kind === 'checkbox') return value === 1
  if (hasSelectOptions(leaf.field)) return leaf.field.options.choices[Number(value)]?.id ?? null
  return value
}
