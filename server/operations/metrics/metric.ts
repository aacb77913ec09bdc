/** What tells the series of a metric apart. Only words of ours: never a name, an id or an address that somebody chose. */
export type Labels = { readonly [name: string]: string }

/** One number of a metric. */
export type Sample = { readonly labels: Labels; readonly value: number }

/** How often something took how long: for each bound how many took at most that long, then all of them. */
export type HistogramSeries = {
  readonly labels: Labels
  readonly buckets: readonly { readonly atMost: number; readonly count: number }[]
  readonly count: number
  readonly sum: number
}

/** A metric with its name, its sentence and what it stands at. */
export type Metric = { readonly name: string; readonly help: string } & (
  | { readonly type: 'counter' | 'gauge'; readonly samples: readonly Sample[] }
  | { readonly type: 'histogram'; readonly spreads: readonly HistogramSeries[] }
)

/** A number that goes up and down. */
export const gauge = (name: string, help: string, value: number | undefined, labels: Labels = {}): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: value === undefined ? [] : [{ labels, value }],
})

/** A number for each word, told apart by one label. */
export const gauges = (
  name: string,
  help: string,
  { label, values }: { readonly label: string; readonly values: { readonly [word: string]: number } },
): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: Object.entries(values).map(([word, value]) => ({ labels: { [label]: word }, value })),
})

/** A number that only goes up, until the process ends. */
export const total = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  help,
  type: 'counter',
  samples,
})
