import { setImmediate } from 'node:timers/promises'

/** So many are a few ms of work. */
const IN_A_ROW = 50

/** Items one after another; after every few of them whoever else waits for the event loop gets a turn. */
export async function* inTurns<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % IN_A_ROW === 0) await setImmediate()
    yield item
  }
}
