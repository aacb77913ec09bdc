/** Something that waits for its turn, and who asked it. */
export type QueuedRequest = { readonly asker: string }

/**
 * Whose turn it is among those in line, who came first standing first: that of the asker who has least under way, and
 * between equals that of who came first. So nobody waits behind all that somebody else asks, and nobody waits for ever:
 * who is passed by has something under way.
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
