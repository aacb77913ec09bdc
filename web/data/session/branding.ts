import { type Branding, readBranding } from '#api/workspace.ts'
import { callOpenly } from '#web/data/api/call.ts'
import { readStoredJson, setStored } from '#web/data/storage/browser-storage.ts'
import { createStore, useStore } from '#web/ui/store.ts'

const STORAGE_KEY = 'branding'

const PRODUCT = 'Dossier'

/** The branding last used in this browser, available for the first paint. */
function lastBranding(): Branding {
  const kept = readStoredJson(STORAGE_KEY)
  const { name, logo } = typeof kept === 'object' ? ({ ...kept } as Partial<Record<keyof Branding, unknown>>) : {}
  return { name: typeof name === 'string' ? name : '', logo: typeof logo === 'string' ? logo : null }
}

/** The workspace's name and logo. */
const branding = createStore<Branding>(lastBranding())

export function setBranding(next: Branding): void {
  branding.set(next)
  setStored(STORAGE_KEY, JSON.stringify(next))
}

/** If the request fails, the previous branding is kept. */
export const loadBranding = (): Promise<void> => callOpenly(readBranding).then(setBranding, () => undefined)

export const onBranding = (listener: (logo: string | null) => void): (() => void) => {
  listener(branding.get().logo)
  return branding.subscribe(() => listener(branding.get().logo))
}

export const workspaceTitle = (): string => branding.get().name || PRODUCT

export const useBranding = (): Branding => useStore(branding)

export const useWorkspaceTitle = (): string => useStore(branding, ({ name }) => name || PRODUCT)
