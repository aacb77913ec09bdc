import { useQueries, useQuery } from '@tanstack/react-query'
import { aggregateRecords, listGroups } from '#api/records.ts'
import { type Field, hasSelectOptions } from '#domain/fields/field.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import type { GroupInterval } from '#domain/query/list/aggregates.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { MAX_FILTER_LENGTH } from '#domain/query/query-limits.ts'
import { type ChartOptions, canSplit, isMeasurable } from '#domain/views/chart.ts'
import {
  type ChartKey,
  type ChartData,
  type ChartInput,
  MAX_CATEGORIES,
  shapeChart,
  shownCategories,
  shownSeries,
} from '#domain/views/chart-data.ts'
import { type ChartGroup, filterOfKey, filterOfKeys } from '#domain/views/chart-records.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { type Listing, listingParams } from '#web/data/queries/record-list-queries.ts'
import { t } from '#web/i18n/t.ts'
import { RECORD_FIELDS, type TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { withCondition } from '#web/views/listing/use-record-window.ts'
import { type GroupBody, groupLabel } from '#web/views/listing/groups/use-groups.ts'
import { dateLabel } from './chart-format.ts'

export type ChartSource = {
  readonly collection: TypedCollection
  /** Identifies fields by column ID. */
  readonly options: ChartOptions
  readonly listing: Omit<Listing, 'sort'>
}

/** The server's page size. */
const GROUPS_PER_PAGE = 500

/** Enough for all pairs of 400 dates and 8 series. */
const MAX_PAIR_PAGES = 7

type GroupOf = ChartGroup & {
  /** As in a request, such as `dueOn:month`. */
  readonly text: string
}

/** What a chart shows, with the fields that exist and that the reader can see. */
export type ChartPlan = {
  readonly by: GroupOf | undefined
  readonly split: GroupOf | undefined
  readonly measured: Field<'number'> | undefined
  readonly aggregate: string
}

export const fieldsOfChart = ({ fields }: TypedCollection): readonly Field[] => [...fields, ...RECORD_FIELDS]

/** Undefined if a field is missing: not chosen yet, deleted, or hidden from the reader. */
export function planOfChart({
  collection,
  options,
}: Pick<ChartSource, 'collection' | 'options'>): ChartPlan | undefined {
  const fields = fieldsOfChart(collection)
  const groupOf = (id: string | null, interval: GroupInterval): GroupOf | undefined => {
    const field = fields.find((each) => each.id === id)
    if (!field) return undefined
    const { kind } = valueField(field)
    const isDate = kind === 'date' || kind === 'date-time'
    return { field, interval: isDate ? interval : null, text: isDate ? `${field.name}:${interval}` : field.name }
  }
  const by = options.type === 'number' ? undefined : groupOf(options.by, options.interval)
  if (options.type !== 'number' && !by) return undefined
  const split = canSplit(options) ? groupOf(options.splitBy, options.splitInterval) : undefined
  const measured = fields.find(({ id }) => id === options.measured)
  const number = measured && isMeasurable(measured) ? (valueField(measured) as Field<'number'>) : undefined
  if (options.aggregate !== 'count' && !number) return undefined
  return {
    by,
    split: split?.text === by?.text ? undefined : split,
    measured: options.aggregate === 'count' ? undefined : number,
    aggregate: options.aggregate === 'count' ? 'count' : `${options.aggregate}(${number?.name})`,
  }
}

export type ChartState =
  | { readonly is: 'incomplete' }
  | { readonly is: 'waiting' }
  | { readonly is: 'failed'; readonly error: Error; readonly retry: () => void }
  | { readonly is: 'empty' }
  | {
      readonly is: 'ready'
      readonly table: ChartData
      readonly plan: ChartPlan
    }

type GroupsAnswer = { readonly groups: readonly GroupBody[]; readonly total: number }

const NO_GROUPS: GroupsAnswer = { groups: [], total: 0 }

/** Loads a chart's groups with the same requests as a grouped list, so that the same permissions apply. */
export function useChart(source: ChartSource): ChartState {
  const plan = planOfChart(source)
  const { needed, total, ...answers } = useAnswers(source, plan)
  if (!plan) return { is: 'incomplete' }
  const failed = needed.find(({ data, error }) => data === undefined && error !== null)
  if (failed?.error) {
    const retry = () => needed.forEach((each) => void (each.error && each.refetch()))
    return { is: 'failed', error: failed.error, retry }
  }
  if (needed.some(({ data }) => data === undefined) || !total) return { is: 'waiting' }
  if (total.count === 0) return { is: 'empty' }
  const { aggregate } = plan
  const value = aggregate === 'count' ? total.count : (total.aggregates[aggregate] ?? null)
  const table = tableOf(plan, source.options, { ...answers, total: value })
  return { is: 'ready', plan, table }
}

/** The groups to read, as in a request. If there are too many dates, the latest ones are shown. */
function orderOf(by: GroupOf | undefined, split: GroupOf | undefined) {
  if (!by) return { first: undefined, pair: undefined, isDate: false }
  const isDate = by.interval !== null
  const first = isDate ? `-${by.text}` : by.text
  return { first, pair: split && `${first},${split.text}`, isDate }
}

function useAnswers(source: ChartSource, plan: ChartPlan | undefined) {
  const { collection, listing } = source
  const { by, split, aggregate } = plan ?? NO_PLAN
  const { first, pair, isDate } = orderOf(by, split)
  const groupsQuery = (by: string | undefined, request: Partial<GroupsRequest> = {}) =>
    queryOfGroups(by, {
      collection: collection.name,
      aggregate,
      listing,
      isLargestFirst: false,
      maxPages: 1,
      ...request,
    })
  const totalQuery = {
    queryKey: queryKeys.sums(collection.name, { chart: null, aggregate, ...listing }),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      call(aggregateRecords, {
        params: { collection: collection.name },
        query: { ...listingParams({ ...listing, sort: '' }), ...(aggregate !== 'count' && { aggregates: aggregate }) },
        signal,
      }),
    enabled: plan !== undefined,
  }
  const [total, groups, series, pairs] = useQueries({
    queries: [
      totalQuery,
      groupsQuery(first, { isLargestFirst: !isDate }),
      groupsQuery(split?.text, { isLargestFirst: true }),
      groupsQuery(pair),
    ],
  })
  // If there are more pairs, those of the groups that are shown are read.
  const isLarge = pairs.data !== undefined && pairs.data.total > pairs.data.groups.length
  const shown = isLarge
    ? shownRecords(source, plan ?? NO_PLAN, { groups: groups.data, series: series.data })
    : undefined
  const shownPairs = useQuery(
    groupsQuery(shown && pair, { maxPages: MAX_PAIR_PAGES, ...(shown && { listing: shown }) }),
  )
  return {
    needed: [
      total,
      ...(by ? [groups] : []),
      ...(pair === undefined ? [] : [series, pairs]),
      ...(isLarge ? [shownPairs] : []),
    ],
    total: total.data,
    groups: groups.data,
    series: series.data,
    pairs: isLarge ? shownPairs.data : pairs.data,
  }
}

/** The records in the groups that a chart with two groups shows; undefined before these are known. */
function shownRecords(
  { collection: { timeZone }, options, listing }: ChartSource,
  plan: ChartPlan,
  { groups, series }: Pick<Answers, 'groups' | 'series'>,
): ChartSource['listing'] | undefined {
  const { by, split } = plan
  if (!by || !split || !groups || !series) return undefined
  const input = inputOf(plan, options, { total: null, groups, series, pairs: undefined })
  const categories = filterOfKeys(by, shownCategories(input), timeZone)
  const all = filterOfKeys(split, shownSeries(input.split?.series ?? [], input.unread.series), timeZone)
  return withConditions(listing, [categories, all])
}

const withConditions = (listing: ChartSource['listing'], conditions: readonly Filter[]): Listing =>
  conditions.reduce<Listing>(withCondition, { ...listing, sort: '' })

/**
 * The address parameters of the list with exactly the records of a group, a series or both; without them, with all
 * records of the chart. Undefined if the filter would be too long for an address.
 */
export function recordsLink(
  { collection: { timeZone }, listing }: Pick<ChartSource, 'collection' | 'listing'>,
  { plan, table }: Pick<Extract<ChartState, { is: 'ready' }>, 'plan' | 'table'>,
  { category, series }: { readonly category?: ChartKey | undefined; readonly series?: ChartKey | undefined },
): RecordsLink | undefined {
  const { filter, search, at } = withConditions(listing, [
    ...(plan.by && category ? [filterOfKey(plan.by, category, { shown: table.categories, timeZone })] : []),
    ...(plan.split && series ? [filterOfKey(plan.split, series, { shown: table.series, timeZone })] : []),
  ])
  if (filter.length > MAX_FILTER_LENGTH) return undefined
  return {
    view: 'all',
    layout: 'grid',
    ...(filter !== '' && { filter }),
    ...(search.trim() !== '' && { search }),
    ...(at !== undefined && { asOf: at }),
  }
}

export type RecordsLink = { readonly [parameter: string]: string }

const NO_PLAN: ChartPlan = { by: undefined, split: undefined, measured: undefined, aggregate: 'count' }

type GroupsRequest = {
  readonly collection: string
  readonly aggregate: string
  /** Whether the groups with the largest values are read if there are too many; their order stays that of the list. */
  readonly isLargestFirst: boolean
  readonly listing: ChartSource['listing']
  readonly maxPages: number
}

const queryOfGroups = (by: string | undefined, request: GroupsRequest) => ({
  queryKey: queryKeys.sums(request.collection, { chart: by, ...request, ...request.listing }),
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => readGroups(by ?? '', request, signal),
  enabled: by !== undefined,
})

async function readGroups(
  by: string,
  { collection, aggregate, isLargestFirst, listing, maxPages }: GroupsRequest,
  signal: AbortSignal,
): Promise<GroupsAnswer> {
  const groups: GroupBody[] = []
  let total = 0
  for (let page = 1; page <= maxPages; page += 1) {
    const query = {
      by,
      aggregates: aggregate,
      ...(isLargestFirst && { order: `-${aggregate}` }),
      ...listingParams({ ...listing, sort: '' }),
      page,
      perPage: GROUPS_PER_PAGE,
    }
    const answer = await call(listGroups, { params: { collection }, query, signal })
    groups.push(...answer.groups)
    total = answer.total
    if (groups.length >= total) break
  }
  return { groups: groups.toSorted((one, other) => one.offset - other.offset), total }
}

type Answers = {
  readonly total: number | null
  readonly groups: GroupsAnswer | undefined
  readonly series: GroupsAnswer | undefined
  readonly pairs: GroupsAnswer | undefined
}

const isAdditive = ({ aggregate }: Pick<ChartOptions, 'aggregate'>): boolean =>
  aggregate === 'count' || aggregate === 'sum'

function tableOf(plan: ChartPlan, options: ChartOptions, answers: Answers): ChartData {
  const { total, groups } = answers
  if (plan.by && groups) return shapeChart(inputOf(plan, options, answers))
  const all: ChartKey = { key: '', label: '', value: total, color: null, kind: 'group' }
  return { categories: [all], series: [all], values: [[total]], total, left: 0 }
}

function inputOf({ by, split, aggregate }: ChartPlan, options: ChartOptions, answers: Answers): ChartInput {
  const { total, groups = NO_GROUPS, series, pairs } = answers
  const summaryOf = ({ count, aggregates }: GroupBody) =>
    aggregate === 'count' ? count : (aggregates[aggregate] ?? null)
  const keyIn = (body: GroupBody, { text }: GroupOf) => JSON.stringify(body.key[text] ?? null)
  return {
    categories: by ? groups.groups.map((body) => ({ ...chartKey(body, by), value: summaryOf(body) })) : [],
    split: by &&
      split &&
      series && {
        series: series.groups.map((body) => ({ ...chartKey(body, split), value: summaryOf(body) })),
        cells: (pairs?.groups ?? []).map((body) => ({
          category: keyOf(keyIn(body, by), by),
          series: keyOf(keyIn(body, split), split),
          value: summaryOf(body),
        })),
        isPartial: pairs !== undefined && pairs.groups.length < pairs.total,
      },
    total,
    isAdditive: isAdditive(options),
    interval: by?.interval ?? null,
    isByValue: options.order === 'value',
    maxCategories: MAX_CATEGORIES[options.type],
    unread: { categories: unreadIn(groups), series: series ? unreadIn(series) : 0 },
    otherLabel: t('Other'),
    labelOfDate: (day) => dateLabel(day, by?.interval ?? 'day'),
  }
}

const unreadIn = ({ groups, total }: GroupsAnswer): number => total - groups.length

/** Dates are compared as they are; other values by their JSON, because an empty text isn't an empty value. */
const keyOf = (json: string, { interval }: GroupOf): string => (interval === null ? json : (JSON.parse(json) ?? ''))

function chartKey({ key, label }: GroupBody, group: GroupOf): Omit<ChartKey, 'value'> {
  const { field, interval, text } = group
  const value = key[text] ?? null
  const shownField = valueField(field)
  const option = hasSelectOptions(shownField)
    ? shownField.options.choices.find(({ name }) => name === value)
    : undefined
  return {
    key: keyOf(JSON.stringify(value), group),
    label:
      interval !== null && typeof value === 'string' ? dateLabel(value, interval) : groupLabel(field, value, label),
    color: option?.color ?? null,
    kind: value === null ? 'empty' : 'group',
  }
}
