import { setImmediate } from 'node:timers/promises'

/** So many are a few ms of work. */
const ITEMS_PER_TICK = 50

/** Iterates and yields to the event loop every few items. */
export async function* yieldingBetween<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % ITEMS_PER_TICK === 0) await setImmediate()
    yield item
  }
}
