import { readMetrics } from '#api/system.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'

/** Labels must never contain names, IDs or addresses chosen by users. */
type Labels = { readonly [name: string]: string }

export type Sample = { readonly labels: Labels; readonly value: number }

/** Cumulative counts per bound, followed by the total. */
type HistogramSeries = {
  readonly labels: Labels
  readonly buckets: readonly { readonly max: number; readonly count: number }[]
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

/** Label keys are always in the same order, so the JSON identifies a series. */
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

/** `bounds` are in seconds, ascending. */
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
        buckets: bounds.map((max, at) => ({ max, count: counts[at] ?? 0 })),
        count,
        sum,
      })),
  }
}

/** Prometheus text format 0.0.4. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')

function labelsOf(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

const line = (name: string, labels: Labels, value: number): string => `${name}${labelsOf(labels)} ${value}`

function linesOf(name: string, { labels, buckets, count, sum }: HistogramSeries): string[] {
  return [
    ...buckets.map(({ max, count: below }) => line(`${name}_bucket`, { ...labels, le: String(max) }, below)),
    line(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
    line(`${name}_sum`, labels, sum),
    line(`${name}_count`, labels, count),
  ]
}

export function printMetrics(metrics: readonly Metric[]): string {
  const texts = metrics.map((metric) => {
    const lines =
      metric.type === 'histogram'
        ? metric.spreads.flatMap((spread) => linesOf(metric.name, spread))
        : metric.samples.map(({ labels, value }) => line(metric.name, labels, value))
    if (lines.length === 0) return ''
    return `# HELP ${metric.name} ${escapeHelp(metric.help)}\n# TYPE ${metric.name} ${metric.type}\n${lines.join('\n')}\n`
  })
  return texts.join('')
}

export type Meter = { readonly metrics: () => readonly Metric[] | PromiseLike<readonly Metric[]> }

export const metricsRoutes = (meters: () => readonly Meter[]): readonly Route[] => [
  route(readMetrics, can('metrics:read'), async ({ reply }) => {
    const metrics = await Promise.all(meters().map(async (meter) => meter.metrics()))
    void reply.type(METRICS_TYPE).send(printMetrics(metrics.flat()))
  }),
]
