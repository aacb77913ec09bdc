/** How many values were changed in this tab and wait to be sent, told by whatever holds them. What was refused does not. */
export function createPendingChanges() {
  const counts = new Map<string, number>()
  const listeners = new Set<() => void>()
  let total = 0
  return {
    snapshot: (): number => total,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** `source` names what holds them: it tells anew whenever there are more or fewer. */
    tell: (source: string, count: number): void => {
      if (count === 0) counts.delete(source)
      else counts.set(source, count)
      const next = [...counts.values()].reduce((sum, one) => sum + one, 0)
      if (next === total) return
      total = next
      for (const listener of listeners) listener()
    },
  }
}

/** Those of this tab. */
export const pendingChanges = createPendingChanges()
