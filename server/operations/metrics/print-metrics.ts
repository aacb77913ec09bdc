import type { HistogramSeries, Labels, Metric } from './metric.ts'
import { readMetrics } from '#api/system.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'

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
    ...buckets.map(({ atMost, count: below }) => line(`${name}_bucket`, { ...labels, le: String(atMost) }, below)),
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
