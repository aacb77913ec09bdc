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

export type Counter = { readonly add: (labels: Labels, by?: number) => void; readonly samples: () => readonly Sample[] }

export type Histogram = {
  readonly note: (labels: Labels, seconds: number) => void
  readonly spreads: () => readonly HistogramSeries[]
}

/** Labels are always created in the same order, so their JSON identifies a series. */
const keyOf = (labels: Labels): string => JSON.stringify(labels)

function seriesOf<Series>(make: (labels: Labels) => Series) {
  const all = new Map<string, Series>()
  return {
    of: (labels: Labels): Series => {
      const key = keyOf(labels)
      const found = all.get(key) ?? make(labels)
      all.set(key, found)
      return found
    },
    all: (): Series[] => [...all.values()],
  }
}

export function createCounter(): Counter {
  const series = seriesOf((labels) => ({ labels, value: 0 }))
  return {
    add: (labels, by = 1) => {
      series.of(labels).value += by
    },
    samples: series.all,
  }
}

/** `bounds` in seconds, ascending. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const series = seriesOf((labels) => ({ labels, counts: bounds.map(() => 0), count: 0, sum: 0 }))
  return {
    note: (labels, seconds) => {
      const one = series.of(labels)
      one.count += 1
      one.sum += seconds
      bounds.forEach((bound, at) => {
        if (seconds <= bound) one.counts[at] = (one.counts[at] ?? 0) + 1
      })
    },
    spreads: () =>
      series.all().map(({ labels, counts, count, sum }) => ({
        labels,
        buckets: bounds.map((atMost, at) => ({ atMost, count: counts[at] ?? 0 })),
        count,
        sum,
      })),
  }
}
