import { canGroupBy, type Field, type FieldValue, hasSelectOptions } from '#domain/fields/field.ts'
import type { KeyValue } from '../../shared/compare-values.ts'
import { type Result, fail, ok } from '../../shared/result.ts'
import { environmentOfActor } from '../check/check-filter.ts'
import { type CheckedNode, type ComputedValue, type Leaf, leafOf } from '../check/checked-filter.ts'
import { didYouMean } from '../filter/did-you-mean.ts'
import {
  type QueryContext,
  type QueryEnvironment,
  type QueryFault,
  findLeaf,
  invalidQuery,
  unknownField,
} from '../check/query-context.ts'
import { MAX_AGGREGATES, MAX_GROUP_FIELDS, MAX_PER_PAGE } from '../query-limits.ts'
import { type SortItem, type SortPart, splitList, parseSort, partsOfItem } from './sort.ts'

export const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max'] as const

export type AggregateName = (typeof AGGREGATES)[number]

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

/** Group-by field with its sort key components, which order groups like the sorted list. */
export type GroupField = { readonly name: string; readonly leaf: Leaf; readonly parts: readonly SortPart[] }

export type GroupQueryInput = {
  readonly by: string
  readonly aggregates?: string | undefined
  readonly page?: number | undefined
  readonly perPage: number
}

export type CheckedGroupQuery = {
  readonly by: readonly GroupField[]
  /** Sort key components of all group-by fields, in order. */
  readonly parts: readonly SortPart[]
  readonly aggregates: readonly Aggregate[]
  readonly offset: number
  readonly limit: number
}

/** Group key values in the order of `by`, and the ordinal of the group's first record in the sorted list. */
export type RecordGroup = {
  readonly key: readonly FieldValue[]
  readonly count: number
  readonly aggregates: readonly (number | null)[]
  readonly offset: number
}

/** Validates a grouping such as `status,-dueOn` with `count,sum(amount)`. */
export function checkGroupQuery(input: GroupQueryInput, context: QueryContext): Result<CheckedGroupQuery, QueryFault> {
  const limit = Math.min(MAX_PER_PAGE, Math.max(1, Math.trunc(input.perPage)))
  const offset = (Math.max(1, Math.trunc(input.page ?? 1)) - 1) * limit
  const environment = environmentOfActor(context)
  if (!environment) return ok({ by: [], parts: [], aggregates: [], offset, limit })

  const by = checkGroupFields(input.by, environment)
  if (!by.ok) return by
  const aggregates = checkAggregates(input.aggregates ?? '', environment)
  if (!aggregates.ok) return aggregates
  const parts = by.value.flatMap((field) => field.parts)
  return ok({ by: by.value, parts, aggregates: aggregates.value, offset, limit })
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
  }
  return ok(fields)
}

function checkGroupField(item: SortItem, environment: QueryEnvironment): Result<GroupField, string> {
  const leaf = findLeaf(environment.home, item.path)
  if (!leaf) return fail(unknownField(environment.home, item.path))
  if (!canGroupByLeaf(leaf)) return fail(`Can’t group by “${item.path}”. Choose a field with a single short value.`)

  const parts = partsOfItem(item, environment)
  return parts.ok ? ok({ name: leaf.type === 'field' ? leaf.field.name : leaf.field, leaf, parts: parts.value }) : parts
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

function checkAggregate(text: string, { home }: QueryEnvironment): Result<Aggregate, string> {
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

/** Rounds to 15 significant digits, the maximum for number fields, so that 0.1 + 0.2 is 0.3; null if out of range. */
export const roundAggregate = (value: number): number | null =>
  Number.isFinite(value) ? Number(value.toPrecision(15)) : null

export const meanOf = (sum: number, count: number): number | null => roundAggregate(sum / count)
