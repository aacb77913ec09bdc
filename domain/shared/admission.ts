/** Limits on concurrency, not on rates: a single client can use the whole server for any length of time. */

/**
 * Open requests per client, queued ones included; further ones are rejected. A page sends about ten, a program that
 * uploads a thousand small files over HTTP/1.1 some hundreds.
 */
export const MAX_OPEN_PER_CLIENT = 500

/** Open requests of all clients; at about 20 kB each, 40 MB. */
export const MAX_OPEN_TOTAL = 2000

/** In units of `REQUEST_COSTS`; more than enough to keep both databases busy. */
export const MAX_COST_PER_CLIENT = 64

/** Four clients at their limits don't block others. */
export const MAX_COST_TOTAL = 256

/** Cost while a request runs. `bulk`: exports, imports, groups, bulk changes. */
export const REQUEST_COSTS = { read: 1, write: 2, bulk: 8 } as const

/** A client's queue has usually drained by then, at 250 requests a second. */
export const CLIENT_RETRY_SECONDS = 2

/** Longer than for a single client, so that the load can drop. */
export const OVERLOAD_RETRY_SECONDS = 5

/** Lag that counts as overload, in ms. */
export const EVENT_LOOP_LAG_MS = 1000

/** Consecutive samples; sleep or one long task causes only one. */
export const EVENT_LOOP_LAG_SAMPLES = 3

export type ServerLoad = {
  readonly perClient: number
  readonly total: number
  /** Latest event-loop lag samples, newest last, in ms. */
  readonly lagMs: readonly number[]
}

export type AdmissionDecision = 'admitted' | 'too-many-at-once' | 'overloaded'

/**
 * Decides before the request uses any resources. A client over its own limit gets the per-client error even during
 * overload.
 */
export function decideAdmission({ perClient, total, lagMs }: ServerLoad): AdmissionDecision {
  if (perClient >= MAX_OPEN_PER_CLIENT) return 'too-many-at-once'
  return total >= MAX_OPEN_TOTAL || isOverloaded(lagMs) ? 'overloaded' : 'admitted'
}

const isOverloaded = (lagMs: readonly number[]): boolean =>
  lagMs.length >= EVENT_LOOP_LAG_SAMPLES && lagMs.slice(-EVENT_LOOP_LAG_SAMPLES).every((ms) => ms >= EVENT_LOOP_LAG_MS)

export type QueuedRequest = { readonly client: string }

/** Picks the client with the lowest cost in flight, then the first in the queue, so that no client starves. */
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
