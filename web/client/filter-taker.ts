/** Adds a condition to the filter of the list it belongs to. */
type TakeFilter = (filter: string) => void

let taker: TakeFilter | undefined
const listeners = new Set<() => void>()

function change(next: TakeFilter | undefined): void {
  taker = next
  for (const listener of listeners) listener()
}

/** The list on the page that takes conditions from elsewhere, as from help; undefined where there is none. */
export const filterTaker = {
  snapshot: (): TakeFilter | undefined => taker,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  /** The list is shown; the answer tells that it is gone. */
  offer: (take: TakeFilter): (() => void) => {
    change(take)
    return () => {
      if (taker === take) change(undefined)
    }
  },
}
