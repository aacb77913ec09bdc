import { EVENT_LOOP_LAG_SAMPLES, EVENT_LOOP_LAG_MS, MAX_OPEN_TOTAL, MAX_OPEN_PER_CLIENT } from './concurrency-limits.ts'

/** What a server has to do when one more request arrives. */
export type ServerLoad = {
  /** Requests that are not answered yet, of whoever asks now and of all. */
  readonly own: number
  readonly all: number
  /** By how much the event loop was late at the last looks, the newest last, in ms. */
  readonly lateMs: readonly number[]
}

/** What becomes of a request that arrives. */
export type AdmissionDecision = 'welcome' | 'too-many-at-once' | 'overloaded'

/** Judges a request before it has cost anything. Whoever has too much open is told that, also where all have. */
export function decideAdmission({ own, all, lateMs }: ServerLoad): AdmissionDecision {
  if (own >= MAX_OPEN_PER_CLIENT) return 'too-many-at-once'
  return all >= MAX_OPEN_TOTAL || isOverloaded(lateMs) ? 'overloaded' : 'welcome'
}

const isOverloaded = (lateMs: readonly number[]): boolean =>
  lateMs.length >= EVENT_LOOP_LAG_SAMPLES &&
  lateMs.slice(-EVENT_LOOP_LAG_SAMPLES).every((ms) => ms >= EVENT_LOOP_LAG_MS)
