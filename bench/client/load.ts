import { Worker } from 'node:worker_threads'
import type { Metrics } from '../report/result.ts'

/** Closed-loop workload: each connection sends its next request after receiving a response. */
export type Load = LoadWindow & {
  readonly port: number
  readonly connections: number
  /** Raw requests, sent in round-robin order. */
  readonly requests: readonly string[]
  readonly status: number
  /** Index of the first request; differs between concurrent workloads so that they send different requests. */
  readonly from: number
}

export type LoadWindow = {
  readonly warmUpMs: number
  /** Measurement duration, extended up to `longestMs` until `leastAnswers` responses have arrived. */
  readonly countedMs: number
  readonly minAnswers: number
  readonly longestMs: number
}

/** Latencies in ms. */
export type LoadResult = {
  readonly latenciesMs: Float64Array
  readonly seconds: number
  readonly failures: number
  /** Beginning of the first unexpected response. */
  readonly firstFailure: string | undefined
}

/** Measurement window suitable for both cheap and expensive requests. */
export const WINDOW: LoadWindow = { warmUpMs: 400, countedMs: 1500, minAnswers: 15, longestMs: 10_000 }

/** Short window for testing the benchmark itself. */
export const QUICK_WINDOW: LoadWindow = { warmUpMs: 100, countedMs: 200, minAnswers: 5, longestMs: 3000 }

/** Runs a workload in its own thread, isolated from other workloads. */
export function runLoad(load: Load): Promise<LoadResult> {
  const worker = new Worker(new URL('./load-worker.ts', import.meta.url), { workerData: load })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The load ended with ${code} and no result.`)))
  })
}

export const mergeRounds = (turns: readonly LoadResult[]): LoadResult => ({
  latenciesMs: Float64Array.from(turns.flatMap(({ latenciesMs }) => [...latenciesMs])),
  seconds: turns.reduce((sum, { seconds }) => sum + seconds, 0),
  failures: turns.reduce((sum, { failures }) => sum + failures, 0),
  firstFailure: turns.find(({ firstFailure }) => firstFailure !== undefined)?.firstFailure,
})

/** Throws on an unexpected response, because the measurement would be meaningless. */
export function metricsOf({ latenciesMs, seconds, failures, firstFailure }: LoadResult): Metrics {
  if (failures > 0 || latenciesMs.length === 0) {
    throw new Error(`${failures} wrong answers; the first: ${firstFailure ?? 'none came'}`)
  }
  return metricsOfLatencies(latenciesMs, seconds)
}

export function metricsOfLatencies(latenciesMs: Float64Array, seconds: number): Metrics {
  const sorted = latenciesMs.toSorted()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const count = sorted.length
  return { count, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), perSecond: count / seconds }
}
