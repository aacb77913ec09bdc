type Listener = (ids: ReadonlySet<string>) => void

const listeners = new Set<Listener>()

/** Tells what shows records of this tab which of them the server has just deleted. */
export const deletedRecords = {
  announce: (ids: readonly string[]): void => {
    const deleted = new Set(ids)
    for (const listener of listeners) listener(deleted)
  },
  subscribe: (listener: Listener): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
