/**
 * How much of one server process somebody may have at a time. Nothing here is a rate: whoever asks alone has all of it,
 * for as long as they like; only what is asked at the same time is bounded, because that is what others wait for.
 */

/**
 * Requests of one asker that are not answered yet, those in line included; one more is refused. A page asks about ten at
 * a time, a program that sends a thousand small files at once through HTTP/1.1 some hundreds.
 */
export const MAX_OPEN_PER_CLIENT = 500

/** The same of all together. Each is about 20 kB while it waits, so this is 40 MB. */
export const MAX_OPEN_TOTAL = 2000

/** What one asker may have at work at a time, in the units of `COSTS`: more than keeps both databases busy. */
export const MAX_COST_PER_CLIENT = 64

/** What may be at work at a time in all: four who ask as much as they can, and nobody else waits for any of them. */
export const MAX_COST_TOTAL = 256

/**
 * What a request takes of a share while it is at work. Dear is what looks at or changes whatever is there: exports,
 * archives, imports, groups, changes of many records.
 */
export const REQUEST_COSTS = { read: 1, write: 2, dear: 8 } as const

/** After so many seconds a line of one asker is mostly over, at 250 requests a second. */
export const CLIENT_RETRY_SECONDS = 2

/** A server with too much to do says later when to come back: by then some have given up. */
export const OVERLOAD_RETRY_SECONDS = 5

/** The event loop is over its head when it was late by this much, in ms, … */
export const EVENT_LOOP_LAG_MS = 1000

/** … at so many looks in a row. A machine that slept, or one long step, is late once. */
export const EVENT_LOOP_LAG_SAMPLES = 3

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
