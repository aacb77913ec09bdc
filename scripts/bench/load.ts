import { Worker } from 'node:worker_threads'

/** A closed loop: each connection asks its next request as soon as the last one is answered. */
export type Load = LoadWindow & {
  readonly port: number
  readonly connections: number
  /** Requests as they go over the wire, asked in turns. */
  readonly requests: readonly string[]
  readonly status: number
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
export const WINDOW: LoadWindow = { warmUpMs: 700, countedMs: 2500, leastAnswers: 20, longestMs: 15_000 }

/** Runs a load in a thread of its own, so that neither the bench nor another load delays it. */
export function runLoad(load: Load): Promise<LoadResult> {
  const worker = new Worker(new URL('./load-worker.ts', import.meta.url), { workerData: load })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The load ended with ${code} and no result.`)))
  })
}

/** The figures of a load, in ms. */
export type Figures = {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly max: number
  readonly perSecond: number
}

/** Sums a load up; a wrong answer makes the whole measurement worthless, so it is thrown. */
export function figuresOf({ latenciesMs, seconds, failures, firstFailure }: LoadResult): Figures {
  if (failures > 0 || latenciesMs.length === 0) {
    throw new Error(`${failures} wrong answers; the first: ${firstFailure ?? 'none came'}`)
  }
  const sorted = latenciesMs.toSorted()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1), perSecond: sorted.length / seconds }
}
