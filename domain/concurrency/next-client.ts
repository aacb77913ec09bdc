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
