/** Adds a condition to the filter of the list it belongs to. */
type ApplyFilter = (filter: string) => void

let activeHandler: ApplyFilter | undefined
const listeners = new Set<() => void>()

function change(next: ApplyFilter | undefined): void {
  activeHandler = next
  for (const listener of listeners) listener()
}

/** The list on the page that takes conditions from elsewhere, as from help; undefined where there is none. */
export const activeListFilter = {
  snapshot: (): ApplyFilter | undefined => activeHandler,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  /** The list is shown; the answer tells that it is gone. */
  offer: (take: ApplyFilter): (() => void) => {
    change(take)
    return () => {
      if (activeHandler === take) change(undefined)
    }
  },
}
