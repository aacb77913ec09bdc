/** Something that waits for its turn, and who asked it. */
export type QueuedRequest = { readonly asker: string }

/**
 * The next request to run: of the client with the least cost in flight, in order of arrival between equals. No client
 * waits behind another's queue, and none starves: a client that is passed over has something in flight.
 */
export function nextClient<Waiting extends QueuedRequest>(
  line: Iterable<Waiting>,
  underWay: (asker: string) => number,
): Waiting | undefined {
  let next: { readonly waiting: Waiting; readonly has: number } | undefined
  for (const waiting of line) {
    const has = underWay(waiting.asker)
    if (next === undefined || has < next.has) next = { waiting, has }
    if (next.has === 0) break
  }
  return next?.waiting
}
