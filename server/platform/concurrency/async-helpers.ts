import { setImmediate } from 'node:timers/promises'

export async function* batchAsync<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let part: Item[] = []
  for await (const item of items) {
    part.push(item)
    if (part.length < size) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

/** Processing this many items takes a few milliseconds. */
const ITEMS_PER_TICK = 50

export async function* yieldingBetween<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % ITEMS_PER_TICK === 0) await setImmediate()
    yield item
  }
}

export async function withTimeout<Value>(promise: Promise<Value>, withinMs: number): Promise<Value | undefined> {
  const tooLate = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => tooLate.resolve(undefined), withinMs)
  try {
    return await Promise.race([promise, tooLate.promise])
  } finally {
    clearTimeout(timer)
    promise.then(undefined, () => undefined)
  }
}

/** Waits until all promises have settled, so that no statement is still running when its transaction ends. */
export async function awaitAll<Requested extends readonly unknown[]>(
  ...requested: Requested
): Promise<{ -readonly [At in keyof Requested]: Awaited<Requested[At]> }> {
  await Promise.allSettled(requested)
  return Promise.all(requested)
}
