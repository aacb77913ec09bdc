import type { OptionColor } from '../fields/field.ts'
import { type GroupInterval, roundAggregate } from '../query/list/aggregates.ts'

/** A group of records with its summary. */
export type ChartKey = {
  /** Distinguishes groups; of a date, the first day of the interval. */
  readonly key: string
  readonly label: string
  readonly value: number | null
  /** Color of a select option or status. */
  readonly color: OptionColor | null
  readonly kind: 'group' | 'empty' | 'other'
}

export type ChartCell = { readonly category: string; readonly series: string; readonly value: number | null }

type ChartSplit = {
  readonly series: readonly ChartKey[]
  /** By category. */
  readonly cells: readonly ChartCell[]
  /** Whether there are more cells than these, so that categories without all of theirs can't be shown. */
  readonly isPartial: boolean
}

export type ChartInput = {
  readonly categories: readonly ChartKey[]
  /** Undefined without a second group. */
  readonly split: ChartSplit | undefined
  /** Summary of all records. */
  readonly total: number | null
  /** Whether values can be added, as counts and sums can; other summaries have no “Other”. */
  readonly isAdditive: boolean
  /** Interval of date categories. */
  readonly interval: GroupInterval | null
  readonly isByValue: boolean
  readonly maxCategories: number
  /** Number of groups that exist but weren't read; with a second group, also of series. */
  readonly unread: { readonly categories: number; readonly series: number }
  readonly otherLabel: string
  /** Label of an interval without records. */
  readonly labelOfDate: (day: string) => string
}

export type ChartData = {
  readonly categories: readonly ChartKey[]
  /** A single series without a label if there is no second group. */
  readonly series: readonly ChartKey[]
  /** By series, then by category. */
  readonly values: readonly (readonly (number | null)[])[]
  readonly total: number | null
  /** Number of groups that are neither shown nor part of “Other”. */
  readonly left: number
}

/** More colors can't be told apart. */
const MAX_SERIES = 8

export const MAX_CATEGORIES = { bar: 24, line: 60, area: 60, pie: 8, donut: 8, number: 1, pivot: 100 } as const

/** Dates are an axis, so more of them fit; after that, the earliest are left out. */
export const MAX_DATES = 400

/** Arranges groups for a chart: at most a number of them, the rest as “Other”, and dates without gaps. */
export function shapeChart(input: ChartInput): ChartData {
  const { split, isAdditive, interval, total, unread } = input
  const categories = shownCategories(input)
  const series = split ? shownSeries(split.series, unread.series) : [WHOLE]
  const cells = new Map(split?.cells.map((cell) => [cellKey(cell), cell.value]))
  const none = isAdditive ? 0 : null
  const valueOf = (category: ChartKey, one: ChartKey): number | null =>
    (split ? cells.get(cellKey({ category: category.key, series: one.key })) : category.value) ?? none
  const shown = { categories, series, values: series.map((one) => categories.map((each) => valueOf(each, one))) }
  const given = new Set(input.categories)
  const left = input.categories.length - categories.filter((each) => given.has(each)).length + unread.categories
  const hasOther = isAdditive && interval === null && left > 0
  const whole = isAdditive ? withOthers(shown, input, hasOther) : shown
  return { ...whole, total, left: hasOther ? 0 : left }
}

const WHOLE: ChartKey = { key: '', label: '', value: null, color: null, kind: 'group' }

const cellKey = ({ category, series }: Pick<ChartCell, 'category' | 'series'>): string =>
  JSON.stringify([category, series])

/** The series of a chart without “Other”; another series must fit if some weren't read. */
export const shownSeries = (series: readonly ChartKey[], unread: number): readonly ChartKey[] =>
  largest(series, MAX_SERIES, unread > 0)

/** The categories of a chart without “Other”. */
export function shownCategories(input: ChartInput): readonly ChartKey[] {
  const { split, interval, isByValue, maxCategories, labelOfDate, unread } = input
  const categories = split?.isPartial === true ? wholeCategories(input.categories, split) : input.categories
  if (interval !== null) return withoutGaps(categories, interval, labelOfDate)
  const kept = largest(categories, maxCategories, unread.categories > 0)
  return isByValue ? kept.toSorted((one, other) => sizeOf(other) - sizeOf(one)) : kept
}

/** The categories whose cells are all known; those of the last one may not be. */
function wholeCategories(categories: readonly ChartKey[], { cells }: ChartSplit): readonly ChartKey[] {
  const known = new Set(cells.map(({ category }) => category))
  known.delete(cells.at(-1)?.category ?? '')
  return categories.filter(({ key }) => known.has(key))
}

const sizeOf = ({ value }: ChartKey): number => value ?? Number.NEGATIVE_INFINITY

/** The groups with the largest values, in their order. One group alone is not replaced by “Other”. */
function largest(keys: readonly ChartKey[], max: number, hasMore: boolean): readonly ChartKey[] {
  if (keys.length <= (hasMore ? max - 1 : max)) return keys
  const kept = new Set(keys.toSorted((one, other) => sizeOf(other) - sizeOf(one)).slice(0, max - 1))
  return keys.filter((key) => kept.has(key))
}

type ShownData = Pick<ChartData, 'categories' | 'series' | 'values'>

/** Adds what is missing from the shown groups to their totals. */
function withOthers(shown: ShownData, { split, total, otherLabel, unread }: ChartInput, hasMore: boolean): ShownData {
  const other: ChartKey = { ...WHOLE, key: OTHER_KEY, label: otherLabel, kind: 'other' }
  const hasOtherSeries = split !== undefined && split.series.length + unread.series > shown.series.length
  const rest = (whole: number | null, parts: readonly (number | null)[]): number | null =>
    roundAggregate((whole ?? 0) - sum(parts))
  const categoryTotals = shown.categories.map(({ value }) => value)
  const categories = hasMore
    ? [...shown.categories, { ...other, value: rest(total, categoryTotals) }]
    : shown.categories
  const seriesTotals = split ? shown.series.map(({ value }) => value) : [total]
  const series = hasOtherSeries ? [...shown.series, { ...other, value: rest(total, seriesTotals) }] : shown.series
  const values = shown.values.map((own, at) => (hasMore ? [...own, rest(seriesTotals[at] ?? null, own)] : own))
  if (!hasOtherSeries) return { categories, series, values }
  const others = categories.map(({ value }, at) =>
    rest(
      value,
      values.map((own) => own[at] ?? null),
    ),
  )
  return { categories, series, values: [...values, others] }
}

const OTHER_KEY = 'other'

export const sum = (values: readonly (number | null)[]): number =>
  roundAggregate(values.reduce<number>((all, value) => all + (value ?? 0), 0)) ?? 0

/** Adds the intervals without records between the first and the last; empty dates come last. */
function withoutGaps(
  categories: readonly ChartKey[],
  interval: GroupInterval,
  labelOfDate: (day: string) => string,
): readonly ChartKey[] {
  const dated = categories.filter(({ kind }) => kind === 'group').toSorted((one, other) => compare(one.key, other.key))
  const empty = categories.filter(({ kind }) => kind === 'empty')
  const latest = dated.slice(-MAX_DATES)
  const [first, last] = [latest[0]?.key, latest.at(-1)?.key]
  if (first === undefined || last === undefined) return empty
  const days = intervalsBetween(first, last, interval)
  // A single far date would stretch the axis to thousands of empty intervals.
  if (days === undefined) return [...latest, ...empty]
  const known = new Map(latest.map((key) => [key.key, key]))
  const filled = days.map((day) => known.get(day) ?? { ...WHOLE, key: day, label: labelOfDate(day) })
  return [...filled, ...empty]
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The first days of all intervals from one to another; undefined if there are too many. */
export function intervalsBetween(first: string, last: string, interval: GroupInterval): readonly string[] | undefined {
  const days: string[] = []
  for (let day = first; day <= last; day = nextStart(day, interval)) {
    if (days.length === MAX_DATES) return undefined
    days.push(day)
  }
  return days
}

const MONTHS = { month: 1, quarter: 3, year: 12 } as const
const DAYS = { day: 1, week: 7 } as const

/** The first day of the interval that follows. */
export function nextStart(day: string, interval: GroupInterval): string {
  const date = new Date(`${day}T00:00:00Z`)
  if (interval === 'day' || interval === 'week') date.setUTCDate(date.getUTCDate() + DAYS[interval])
  else date.setUTCMonth(date.getUTCMonth() + MONTHS[interval])
  const [start = ''] = date.toISOString().split('T')
  return start
}

/** Each value's share of its category, from 0 to 1; negative values have none. */
export function shares({ values, categories }: Pick<ChartData, 'values' | 'categories'>): readonly number[][] {
  const positive = values.map((own) => own.map((value) => Math.max(0, value ?? 0)))
  const totals = categories.map((_, at) => sum(positive.map((own) => own[at] ?? 0)))
  return positive.map((own) => own.map((value, at) => ((totals[at] ?? 0) > 0 ? value / (totals[at] ?? 1) : 0)))
}
