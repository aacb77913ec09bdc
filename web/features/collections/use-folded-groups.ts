import { useState } from 'react'
import { keep, readKeptJson } from '#web/client/browser-storage.ts'

const KEPT = 'sidebar.folded'

const kept = (): readonly string[] => {
  const names = readKeptJson(KEPT)
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

/** Which groups of the sidebar are folded, in this browser. */
export function useFoldedGroups() {
  const [folded, setFolded] = useState(kept)
  return {
    isFolded: (name: string): boolean => folded.includes(name),
    fold: (name: string, isFolded: boolean): void => {
      const next = isFolded ? [...folded, name] : folded.filter((each) => each !== name)
      setFolded(next)
      keep(KEPT, JSON.stringify(next))
    },
  }
}
