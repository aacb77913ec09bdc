/** What the browser keeps: `local` for all tabs and for good, `session` for this tab until it is closed. */
export type StorageArea = 'local' | 'session'

/** Every key starts with this, so that nothing else on the same address is touched. */
const PREFIX = 'dossier.'

const areaOf = (area: StorageArea): Storage => (area === 'local' ? window.localStorage : window.sessionStorage)

/** What is kept under a key; null where there is nothing or where the browser keeps nothing at all. */
export function readStored(key: string, area: StorageArea = 'local'): string | null {
  try {
    return areaOf(area).getItem(PREFIX + key)
  } catch {
    return null
  }
}

/** Keeps a value; does nothing where the browser refuses, for everything kept here can be done without. */
export function setStored(key: string, value: string, area: StorageArea = 'local'): void {
  try {
    areaOf(area).setItem(PREFIX + key, value)
  } catch {
    // Full or forbidden: the next visit simply starts without it.
  }
}

/** Forgets a value. */
export function removeStored(key: string, area: StorageArea = 'local'): void {
  try {
    areaOf(area).removeItem(PREFIX + key)
  } catch {
    // What could not be kept needs no forgetting.
  }
}

/** Forgets every value whose key begins so. */
export function clearStored(keyStart: string, area: StorageArea = 'local'): void {
  try {
    const keys = Object.keys(areaOf(area)).filter((key) => key.startsWith(PREFIX + keyStart))
    for (const key of keys) areaOf(area).removeItem(key)
  } catch {
    // As above.
  }
}

/** What is kept under a key as JSON; null where it is missing or no JSON. */
export function readStoredJson(key: string, area: StorageArea = 'local'): unknown {
  const text = readStored(key, area)
  if (text === null) return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
