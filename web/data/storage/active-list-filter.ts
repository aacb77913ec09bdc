import { createStore } from '#web/ui/store.ts'

type ApplyFilter = (filter: string) => void

const { get, set, subscribe } = createStore<ApplyFilter | undefined>(undefined)

export const activeListFilter = {
  get,
  subscribe,
  offer: (apply: ApplyFilter): (() => void) => {
    set(apply)
    return () => {
      if (get() === apply) set(undefined)
    }
  },
}
