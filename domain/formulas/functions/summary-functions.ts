import type { RollupFunction } from '#domain/fields/field.ts'

/** A function of the values of linked records, such as `sum(tasks.hours)`. */
export type SummaryFunction = { readonly summarizes: RollupFunction; readonly help: string; readonly example: string }

/** By name. Those that are also functions of single values summarize if their only argument is a path. */
export const SUMMARY_FUNCTIONS: ReadonlyMap<string, SummaryFunction> = new Map<string, SummaryFunction>(
  Object.entries({
    sum: { summarizes: 'sum', help: 'The sum of the values, 0 if there are none.', example: 'sum(tasks.hours)' },
    average: { summarizes: 'avg', help: 'The average of the values.', example: 'average(tasks.hours)' },
    min: { summarizes: 'min', help: 'The smallest number or the first date.', example: 'min(tasks.due)' },
    max: { summarizes: 'max', help: 'The largest number or the last date.', example: 'max(tasks.due)' },
    count: {
      summarizes: 'count',
      help: 'The number of linked records, or of those that have a value in a field.',
      example: 'count(tasks)',
    },
    count_distinct: {
      summarizes: 'countDistinct',
      help: 'The number of different values.',
      example: 'count_distinct(tasks.stage)',
    },
    first: { summarizes: 'first', help: 'The first value in the order of the links.', example: 'first(tasks.title)' },
    last: { summarizes: 'last', help: 'The last value in the order of the links.', example: 'last(tasks.title)' },
    join: { summarizes: 'join', help: 'All values, separated by commas.', example: 'join(tasks.title)' },
    any: { summarizes: 'any', help: 'True if any checkbox is checked.', example: 'any(tasks.done)' },
    all: {
      summarizes: 'all',
      help: 'True if each checkbox is checked; false without linked records.',
      example: 'all(tasks.done)',
    },
  }),
)
