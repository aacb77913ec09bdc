import { useState } from 'react'
import { setStored, readStoredJson } from '#web/data/storage/browser-storage.ts'

const STORAGE_KEY = 'sidebar.folded'

const readStoredGroups = (): readonly string[] => {
  const names = readStoredJson(STORAGE_KEY)
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

/** Which groups of the sidebar are folded, in this browser. */
export function useCollapsedGroups() {
  const [folded, setFolded] = useState(readStoredGroups)
  return {
    isFolded: (name: string): boolean => folded.includes(name),
    fold: (name: string, isFolded: boolean): void => {
      const next = isFolded ? [...folded, name] : folded.filter((each) => each !== name)
      setFolded(next)
      setStored(STORAGE_KEY, JSON.stringify(next))
    },
  }
}
