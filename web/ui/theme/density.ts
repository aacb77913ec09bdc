import { useSyncExternalStore } from 'react'

/** How much room things take: as the device needs it, or as it was chosen. */
export const DENSITIES = ['auto', 'comfortable', 'compact'] as const

/** One of them. */
export type Density = (typeof DENSITIES)[number]

const listeners = new Set<() => void>()

/** What was chosen; the root of the page wears it, and the tokens follow that. */
const chosen = (): Density =>
  DENSITIES.find((density) => density === document.documentElement.dataset['density']) ?? 'auto'

/** Puts a choice on; who keeps it for the next visit is `choose-density.ts`. */
export function applyDensity(density: Density): void {
  if (density === 'auto') delete document.documentElement.dataset['density']
  else document.documentElement.dataset['density'] = density
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** What was chosen, as it changes. */
export const useDensity = (): Density => useSyncExternalStore(subscribe, chosen)
