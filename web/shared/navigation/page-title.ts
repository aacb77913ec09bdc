import { useEffect, useSyncExternalStore } from 'react'

const PRODUCT = 'Dossier'

let title = ''
const listeners = new Set<() => void>()

function setTitle(next: string) {
  if (title === next) return
  title = next
  document.title = next === '' ? PRODUCT : `${next} · ${PRODUCT}`
  for (const listener of listeners) listener()
}

/** Names the page that is shown: in the browser's tab, in the header, and to a screen reader on arrival. */
export function usePageTitle(next: string): void {
  useEffect(() => setTitle(next), [next])
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The name of the page that is shown. */
export const useCurrentPageTitle = (): string => useSyncExternalStore(subscribe, () => title)
