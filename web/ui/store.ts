import { useSyncExternalStore } from 'react'

type Unsubscribe = () => void

export type Emitter<Event> = {
  readonly emit: (event: Event) => void
  readonly subscribe: (listener: (event: Event) => void) => Unsubscribe
  readonly hasListeners: () => boolean
}

/** With `isBuffered`, events emitted while there is no listener are delivered to the next one. */
export function createEmitter<Event>({ isBuffered = false }: { readonly isBuffered?: boolean } = {}): Emitter<Event> {
  const listeners = new Set<(event: Event) => void>()
  let undelivered: readonly Event[] = []
  return {
    emit: (event) => {
      if (isBuffered && listeners.size === 0) undelivered = [...undelivered, event]
      for (const listener of listeners) listener(event)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      const missed = undelivered
      undelivered = []
      for (const event of missed) listener(event)
      return () => void listeners.delete(listener)
    },
    hasListeners: () => listeners.size > 0,
  }
}

export type ReadableStore<State> = {
  /** Returns the same object until the state changes. */
  readonly get: () => State
  readonly subscribe: (listener: () => void) => Unsubscribe
}

export type Store<State> = ReadableStore<State> & {
  /** Notifies listeners unless `next` equals the current state. */
  readonly set: (next: State) => void
  readonly hasListeners: () => boolean
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial
  const { emit, subscribe, hasListeners } = createEmitter<void>()
  return {
    get: () => state,
    set: (next) => {
      if (Object.is(next, state)) return
      state = next
      emit()
    },
    subscribe,
    hasListeners,
  }
}

/** `select` must return the same value for the same state. */
export function useStore<State>(store: ReadableStore<State>): State
export function useStore<State, Selected>(store: ReadableStore<State>, select: (state: State) => Selected): Selected
export function useStore<State, Selected>(store: ReadableStore<State>, select?: (state: State) => Selected) {
  return useSyncExternalStore(store.subscribe, () => (select ? select(store.get()) : store.get()))
}
