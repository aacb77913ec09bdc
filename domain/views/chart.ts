import { fieldById } from '../collections/collection.ts'
import { canGroupBy, type Field, type FieldKind } from '../fields/field.ts'
import { isSystemField } from '../fields/system-fields.ts'
import { valueField } from '../formulas/value-field.ts'
import { AGGREGATES, type AggregateName, GROUP_INTERVALS, type GroupInterval } from '../query/list/aggregates.ts'
import type { ViewKindRules } from './view-kind.ts'

export const CHART_TYPES = ['bar', 'line', 'area', 'pie', 'donut', 'number', 'pivot'] as const

export const CHART_STACKINGS = ['stacked', 'grouped', 'percent'] as const

export const CHART_ORDERS = ['group', 'value'] as const

export type ChartOptions = {
  readonly type: (typeof CHART_TYPES)[number]
  /** Field of the groups; a single figure has none. */
  readonly by: string | null
  /** Interval by which dates are grouped. */
  readonly interval: GroupInterval
  /** Second group: the series of a chart, or the columns of a pivot table. */
  readonly splitBy: string | null
  readonly splitInterval: GroupInterval
  readonly aggregate: AggregateName
  /** Number field of the summary; a count has none. */
  readonly measured: string | null
  readonly stacking: (typeof CHART_STACKINGS)[number]
  /** Order of the groups: as in the list, or largest first. Dates are always in order. */
  readonly order: (typeof CHART_ORDERS)[number]
}

const DEFAULT_CHART: ChartOptions = {
  type: 'bar',
  by: null,
  interval: 'month',
  splitBy: null,
  splitInterval: 'month',
  aggregate: 'count',
  measured: null,
  stacking: 'stacked',
  order: 'group',
}

const oneOf = <Value>(known: readonly Value[], stored: unknown, otherwise: Value): Value =>
  known.find((value) => value === stored) ?? otherwise

const fieldOf = (stored: unknown): string | null => (typeof stored === 'string' ? stored : null)

/** Kinds of fields that a new chart is grouped by, the most suitable first. */
const FIRST_KINDS: readonly FieldKind[] = ['state', 'select', 'user', 'checkbox', 'date', 'date-time', 'relation']

export const chart: ViewKindRules<ChartOptions> = {
  startFor: ({ fields }) => {
    const possible = fields.filter(canGroupBy)
    const [first] = FIRST_KINDS.flatMap((kind) => possible.find((field) => valueField(field).kind === kind) ?? [])
    return { ...DEFAULT_CHART, by: first?.id ?? 'createdAt' }
  },
  read: ({ type, by, interval, splitBy, splitInterval, aggregate, measured, stacking, order }) => ({
    type: oneOf(CHART_TYPES, type, DEFAULT_CHART.type),
    by: fieldOf(by),
    interval: oneOf(GROUP_INTERVALS, interval, DEFAULT_CHART.interval),
    splitBy: fieldOf(splitBy),
    splitInterval: oneOf(GROUP_INTERVALS, splitInterval, DEFAULT_CHART.splitInterval),
    aggregate: oneOf(AGGREGATES, aggregate, DEFAULT_CHART.aggregate),
    measured: fieldOf(measured),
    stacking: oneOf(CHART_STACKINGS, stacking, DEFAULT_CHART.stacking),
    order: oneOf(CHART_ORDERS, order, DEFAULT_CHART.order),
  }),
  renameFields: ({ by, splitBy, measured, ...options }, rename) => {
    const renamed = (field: string | null) => (field === null ? null : (rename(field) ?? null))
    return { ...options, by: renamed(by), splitBy: renamed(splitBy), measured: renamed(measured) }
  },
  problem: ({ by, splitBy, measured }, collection) => {
    const isGroup = (id: string | null): boolean => {
      if (id === null || isSystemField(id)) return id !== 'id'
      const field = fieldById(collection, id)
      return field !== undefined && canGroupBy(field)
    }
    if (!isGroup(by)) return { option: 'by', message: 'Charts can’t be grouped by this field.' }
    if (!isGroup(splitBy)) return { option: 'splitBy', message: 'Charts can’t be grouped by this field.' }
    const number = measured === null ? undefined : fieldById(collection, measured)
    if (measured !== null && (!number || !isMeasurable(number)))
      return { option: 'measured', message: 'Only number fields can be summarized in a chart.' }
    return null
  },
}

export const isMeasurable = (field: Field): boolean => valueField(field).kind === 'number'

/** Whether a chart shows a group's parts side by side, so that it can have a second group. */
export const canSplit = ({ type }: Pick<ChartOptions, 'type'>): boolean =>
  type === 'bar' || type === 'line' || type === 'area' || type === 'pivot'
