/** Limits concurrency, not request rate: a single client can use the whole server indefinitely. */

/**
 * Maximum open requests per client, including queued ones; more are rejected. A page sends about ten; a program that
 * uploads a thousand small files over HTTP/1.1 sends a few hundred.
 */
export const MAX_OPEN_PER_CLIENT = 500

/** Maximum open requests across all clients: about 20 kB each, 40 MB in total. */
export const MAX_OPEN_TOTAL = 2000

/**
 * Maximum cost of a client's running requests, in units of `REQUEST_COSTS`; more than enough to keep both databases
 * busy.
 */
export const MAX_COST_PER_CLIENT = 64

/** Four clients at their limits can't block others. */
export const MAX_COST_TOTAL = 256

/** Cost of a running request. `bulk`: exports, imports, groups, bulk changes. */
export const REQUEST_COSTS = { read: 1, write: 2, bulk: 8 } as const

/** At 250 requests per second, a client's queue has usually drained after this delay. */
export const CLIENT_RETRY_SECONDS = 2

/** Longer than the per-client delay, so that the load can drop. */
export const OVERLOAD_RETRY_SECONDS = 5

/** Event-loop lag in ms that counts as overload. */
export const EVENT_LOOP_LAG_MS = 1000

/** Required number of consecutive slow samples; system sleep or one long task causes only one. */
export const EVENT_LOOP_LAG_SAMPLES = 3

export type ServerLoad = {
  readonly perClient: number
  readonly total: number
  /** Recent event-loop lag samples in ms, newest last. */
  readonly lagMs: readonly number[]
}

export type AdmissionDecision = 'admitted' | 'too-many-at-once' | 'overloaded'

/**
 * Admits or rejects a request before it uses resources. A client over its own limit gets the per-client error even
 * during overload.
 */
export function decideAdmission({ perClient, total, lagMs }: ServerLoad): AdmissionDecision {
  if (perClient >= MAX_OPEN_PER_CLIENT) return 'too-many-at-once'
  return total >= MAX_OPEN_TOTAL || isOverloaded(lagMs) ? 'overloaded' : 'admitted'
}

const isOverloaded = (lagMs: readonly number[]): boolean =>
  lagMs.length >= EVENT_LOOP_LAG_SAMPLES && lagMs.slice(-EVENT_LOOP_LAG_SAMPLES).every((ms) => ms >= EVENT_LOOP_LAG_MS)

export type QueuedRequest = { readonly client: string }

/** Picks the client with the lowest in-flight cost, then the first in the queue, to prevent starvation. */
export function nextClient<Queued extends QueuedRequest>(
  queue: Iterable<Queued>,
  costInFlight: (client: string) => number,
): Queued | undefined {
  let next: { readonly request: Queued; readonly cost: number } | undefined
  for (const request of queue) {
    const cost = costInFlight(request.client)
    if (next === undefined || cost < next.cost) next = { request, cost }
    if (next.cost === 0) break
  }
  return next?.request
}
