// Pages that show charts load this module without the filter language.

export const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max'] as const

export type AggregateName = (typeof AGGREGATES)[number]

/** Intervals by which dates can be grouped, as in `dueOn:month`. Weeks start on Monday. */
export const GROUP_INTERVALS = ['day', 'week', 'month', 'quarter', 'year'] as const

export type GroupInterval = (typeof GROUP_INTERVALS)[number]

/** Rounds to 15 significant digits, the maximum for number fields, so that 0.1 + 0.2 is 0.3; null if out of range. */
export const roundAggregate = (value: number): number | null =>
  Number.isFinite(value) ? Number(value.toPrecision(15)) : null

export const meanOf = (sum: number, count: number): number | null => roundAggregate(sum / count)
