import { setImmediate } from 'node:timers/promises'

/** A few ms of work. */
const ITEMS_PER_TICK = 50

export async function* yieldingBetween<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % ITEMS_PER_TICK === 0) await setImmediate()
    yield item
  }
}
