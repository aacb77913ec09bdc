/** A map that evicts the least recently used entries when it exceeds a number of entries or a total weight. */
export type LruMap<Value> = {
  /** Marks the entry as recently used. */
  readonly find: (key: string) => Value | undefined
  readonly peek: (key: string) => Value | undefined
  /** Sets a value with its weight, replacing any previous one. */
  readonly set: (key: string, value: Value, weight?: number) => void
  readonly delete: (key: string) => void
  readonly clear: () => void
  readonly values: () => Iterable<Value>
}

export function createLruMap<Value>(maxEntries: number, maxWeight = Number.POSITIVE_INFINITY): LruMap<Value> {
  // In insertion order, with the most recently used entry last.
  const kept = new Map<string, { readonly value: Value; readonly weight: number }>()
  let total = 0

  function remove(key: string): void {
    total -= kept.get(key)?.weight ?? 0
    kept.delete(key)
  }

  return {
    find: (key) => {
      const found = kept.get(key)
      if (!found) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    peek: (key) => kept.get(key)?.value,
    set: (key, value, weight = 0) => {
      remove(key)
      kept.set(key, { value, weight })
      total += weight
      for (const oldest of kept.keys()) {
        if (kept.size <= maxEntries && total <= maxWeight) break
        remove(oldest)
      }
    },
    delete: remove,
    clear: () => {
      kept.clear()
      total = 0
    },
    values: () => [...kept.values()].map(({ value }) => value),
  }
}
