import { readMetrics } from '#api/system.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { Metric } from './metric.ts'
import { METRICS_TYPE, printMetrics } from './print-metrics.ts'

export type Meter = { readonly metrics: () => readonly Metric[] | PromiseLike<readonly Metric[]> }

export const metricsRoutes = (meters: () => readonly Meter[]): readonly Route[] => [
  route(readMetrics, can('metrics:read'), async ({ reply }) => {
    const metrics = await Promise.all(meters().map(async (meter) => meter.metrics()))
    void reply.type(METRICS_TYPE).send(printMetrics(metrics.flat()))
  }),
]
