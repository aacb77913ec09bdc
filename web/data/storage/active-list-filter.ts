type ApplyFilter = (filter: string) => void

let activeHandler: ApplyFilter | undefined
const listeners = new Set<() => void>()

function change(next: ApplyFilter | undefined): void {
  activeHandler = next
  for (const listener of listeners) listener()
}

export const activeListFilter = {
  snapshot: (): ApplyFilter | undefined => activeHandler,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  offer: (take: ApplyFilter): (() => void) => {
    change(take)
    return () => {
      if (activeHandler === take) change(undefined)
    }
  },
}
