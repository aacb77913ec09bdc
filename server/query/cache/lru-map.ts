export type LruMap<Value> = {
  readonly find: (key: string) => Value | undefined
  readonly peek: (key: string) => Value | undefined
  /** Inserts a value with its weight, or updates the weight. */
  readonly set: (key: string, value: Value, weight: number) => void
  readonly delete: (key: string) => void
  readonly values: () => Iterable<Value>
}

export function createLruMap<Value>(most: { readonly entries: number; readonly weight: number }): LruMap<Value> {
  // Most recently used last, by insertion order.
  const kept = new Map<string, { readonly value: Value; readonly weight: number }>()
  let weight = 0

  function remove(key: string): void {
    weight -= kept.get(key)?.weight ?? 0
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
    set: (key, value, own) => {
      remove(key)
      kept.set(key, { value, weight: own })
      weight += own
      for (const oldest of kept.keys()) {
        if (kept.size <= most.entries && weight <= most.weight) break
        remove(oldest)
      }
    },
    delete: remove,
    values: () => [...kept.values()].map(({ value }) => value),
  }
}
