/** Deterministic random numbers. */
export type Random = {
  readonly below: (count: number) => number
  readonly chance: (share: number) => boolean
  readonly one: <Item>(items: readonly Item[]) => Item
  /** At most `most` distinct items, in order. */
  readonly some: <Item>(items: readonly Item[], most: number) => Item[]
}

/** A mulberry32 generator with the given seed. */
export function randomFrom(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number): number => Math.floor(next() * count)
  const one = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)]
    if (item === undefined) throw new Error('There is nothing to draw from.')
    return item
  }
  const some = <Item>(items: readonly Item[], most: number): Item[] => {
    const wanted = below(Math.min(most, items.length) + 1)
    const picked = new Set<number>()
    while (picked.size < wanted) picked.add(below(items.length))
    return [...picked].sort((left, right) => left - right).flatMap((at) => items[at] ?? [])
  }
  return { below, chance: (share) => next() < share, one, some }
}
