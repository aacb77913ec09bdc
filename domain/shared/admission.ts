/**
 * How much of a server process one client may use at a time. These are not rates: a single client can use all of it for
 * as long as it likes; only concurrency is limited, because that is what makes others wait.
 */

/**
 * Unanswered requests of one client, queued ones included; further ones are rejected. A page sends about ten at a time,
 * a program that uploads a thousand small files over HTTP/1.1 some hundreds.
 */
export const MAX_OPEN_PER_CLIENT = 500

/** The same of all together. Each is about 20 kB while it waits, so this is 40 MB. */
export const MAX_OPEN_TOTAL = 2000

/** Concurrent cost of one client, in units of `REQUEST_COSTS`: more than keeps both databases busy. */
export const MAX_COST_PER_CLIENT = 64

/** Concurrent cost of all clients: four clients at their limit do not make others wait. */
export const MAX_COST_TOTAL = 256

/**
 * The cost of a request while it runs. `dear` is for work that touches many records: exports, imports, groups, bulk.
 */
export const REQUEST_COSTS = { read: 1, write: 2, bulk: 8 } as const

/** Seconds after which a client's queue has usually drained, at 250 requests a second. */
export const CLIENT_RETRY_SECONDS = 2

/** A server with too much to do says later when to come back: by then some have given up. */
export const OVERLOAD_RETRY_SECONDS = 5

/** The event loop is over its head when it was late by this much, in ms, … */
export const EVENT_LOOP_LAG_MS = 1000

/** … at so many looks in a row. A machine that slept, or one long step, is late once. */
export const EVENT_LOOP_LAG_SAMPLES = 3

/** What a server has to do when one more request arrives. */
export type ServerLoad = {
  /** Unanswered requests of this client and of all. */
  readonly perClient: number
  readonly total: number
  /** By how much the event loop was late at the last looks, the newest last, in ms. */
  readonly lagMs: readonly number[]
}

/** What becomes of a request that arrives. */
export type AdmissionDecision = 'admitted' | 'too-many-at-once' | 'overloaded'

/** Admits or rejects a request before it costs anything. A client over its own limit is told so even when all are. */
export function decideAdmission({ perClient, total, lagMs }: ServerLoad): AdmissionDecision {
  if (perClient >= MAX_OPEN_PER_CLIENT) return 'too-many-at-once'
  return total >= MAX_OPEN_TOTAL || isOverloaded(lagMs) ? 'overloaded' : 'admitted'
}

const isOverloaded = (lagMs: readonly number[]): boolean =>
  lagMs.length >= EVENT_LOOP_LAG_SAMPLES && lagMs.slice(-EVENT_LOOP_LAG_SAMPLES).every((ms) => ms >= EVENT_LOOP_LAG_MS)

/** Something that waits for its turn, and who asked it. */
export type QueuedRequest = { readonly client: string }

/**
 * The next request to run: of the client with the least cost in flight, in order of arrival between equals. No client
 * waits behind another's queue, and none starves: a client that is passed over has something in flight.
 */
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
