import { Worker } from 'node:worker_threads'
import type { Metrics } from '../report/result.ts'

/** A closed loop: each connection asks its next request as soon as the last one is answered. */
export type Load = LoadWindow & {
  readonly port: number
  readonly connections: number
  /** Requests as they go over the wire, asked in turns. */
  readonly requests: readonly string[]
  readonly status: number
  /** With which request it begins, so that several loads do not ask the same ones. */
  readonly from: number
}

/** When answers are counted. */
export type LoadWindow = {
  readonly warmUpMs: number
  /** How long answers are counted. It goes on until there are `leastAnswers`, but never beyond `longestMs`. */
  readonly countedMs: number
  readonly leastAnswers: number
  readonly longestMs: number
}

/** What a load saw; times in ms. */
export type LoadResult = {
  readonly latenciesMs: Float64Array
  readonly seconds: number
  readonly failures: number
  /** The beginning of the first wrong answer. */
  readonly firstFailure: string | undefined
}

/** Answers counted, or at least so many, within bounds that suit a request of any weight. */
export const WINDOW: LoadWindow = { warmUpMs: 400, countedMs: 1500, leastAnswers: 15, longestMs: 10_000 }

/** To try the bench itself. */
export const QUICK_WINDOW: LoadWindow = { warmUpMs: 100, countedMs: 200, leastAnswers: 5, longestMs: 3000 }

/** Runs a load in a thread of its own, so that neither the bench nor another load delays it. */
export function runLoad(load: Load): Promise<LoadResult> {
  const worker = new Worker(new URL('./load-worker.ts', import.meta.url), { workerData: load })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The load ended with ${code} and no result.`)))
  })
}

/** Several turns of the same load as one. */
export const mergeRounds = (turns: readonly LoadResult[]): LoadResult => ({
  latenciesMs: Float64Array.from(turns.flatMap(({ latenciesMs }) => [...latenciesMs])),
  seconds: turns.reduce((sum, { seconds }) => sum + seconds, 0),
  failures: turns.reduce((sum, { failures }) => sum + failures, 0),
  firstFailure: turns.find(({ firstFailure }) => firstFailure !== undefined)?.firstFailure,
})

/** Sums a load up; a wrong answer makes the whole measurement worthless, so it is thrown. */
export function metricsOf({ latenciesMs, seconds, failures, firstFailure }: LoadResult): Metrics {
  if (failures > 0 || latenciesMs.length === 0) {
    throw new Error(`${failures} wrong answers; the first: ${firstFailure ?? 'none came'}`)
  }
  return metricsOfLatencies(latenciesMs, seconds)
}

/** The figures of latencies in ms. */
export function metricsOfLatencies(latenciesMs: Float64Array, seconds: number): Metrics {
  const sorted = latenciesMs.toSorted()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const count = sorted.length
  return { count, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), perSecond: count / seconds }
}
