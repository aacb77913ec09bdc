/** Labels never contain names, ids or addresses chosen by users. */
export type Labels = { readonly [name: string]: string }

export type Sample = { readonly labels: Labels; readonly value: number }

/** Cumulative counts per bound, then all. */
export type HistogramSeries = {
  readonly labels: Labels
  readonly buckets: readonly { readonly atMost: number; readonly count: number }[]
  readonly count: number
  readonly sum: number
}

export type Metric = { readonly name: string; readonly help: string } & (
  | { readonly type: 'counter' | 'gauge'; readonly samples: readonly Sample[] }
  | { readonly type: 'histogram'; readonly spreads: readonly HistogramSeries[] }
)

export const gauge = (name: string, help: string, value: number | undefined, labels: Labels = {}): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: value === undefined ? [] : [{ labels, value }],
})

/** One gauge per label value. */
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

export const total = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  help,
  type: 'counter',
  samples,
})
