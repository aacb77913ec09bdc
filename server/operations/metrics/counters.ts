import type { Labels, Sample, HistogramSeries } from './metric.ts'

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
