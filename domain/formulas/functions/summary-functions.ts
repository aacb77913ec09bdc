import { ROLLUP_FUNCTIONS, type RollupFunction } from '#domain/fields/field.ts'

/** A function of the values of linked records, such as `sum(tasks.hours)`. */
type SummaryFunction = { readonly summarizes: RollupFunction; readonly help: string; readonly example: string }

type Described = { readonly help: string; readonly argument: string; readonly name?: string }

/** Formulas use the same name, unless another one is given. */
const SUMMARIES: { readonly [Each in RollupFunction]: Described } = {
  sum: { help: 'The sum of the values, 0 if there are none.', argument: 'tasks.hours' },
  avg: { help: 'The average of the values.', argument: 'tasks.hours', name: 'average' },
  min: { help: 'The smallest number or the first date.', argument: 'tasks.due' },
  max: { help: 'The largest number or the last date.', argument: 'tasks.due' },
  count: { help: 'The number of linked records, or of those that have a value in a field.', argument: 'tasks' },
  countDistinct: { help: 'The number of different values.', argument: 'tasks.stage', name: 'count_distinct' },
  first: { help: 'The first value in the order of the links.', argument: 'tasks.title' },
  last: { help: 'The last value in the order of the links.', argument: 'tasks.title' },
  join: { help: 'All values, separated by commas.', argument: 'tasks.title' },
  any: { help: 'True if any checkbox is checked.', argument: 'tasks.done' },
  all: { help: 'True if each checkbox is checked; false without linked records.', argument: 'tasks.done' },
}

/** By name. Those that are also functions of single values summarize if their only argument is a path. */
export const SUMMARY_FUNCTIONS: ReadonlyMap<string, SummaryFunction> = new Map(
  ROLLUP_FUNCTIONS.map((summarizes) => {
    const { help, argument, name = summarizes } = SUMMARIES[summarizes]
    return [name, { summarizes, help, example: `${name}(${argument})` }] as const
  }),
)
