/** `local`: shared by all tabs and permanent. `session`: this tab only, until it is closed. */
export type StorageArea = 'local' | 'session'

/** Prefix of all keys, so that they don't conflict with other apps on the same origin. */
const PREFIX = 'dossier.'

const areaOf = (area: StorageArea): Storage => (area === 'local' ? window.localStorage : window.sessionStorage)

/** Flag that is set while records created offline are pending; see `unsent-state.ts`. */
export const UNSENT_FLAG = 'unsent'

export function readStored(key: string, area: StorageArea = 'local'): string | null {
  try {
    return areaOf(area).getItem(PREFIX + key)
  } catch {
    return null
  }
}

/** Stores a value; errors are ignored, because all stored values are optional. */
export function setStored(key: string, value: string, area: StorageArea = 'local'): void {
  try {
    areaOf(area).setItem(PREFIX + key, value)
  } catch {
    // Storage is full or blocked, so the value isn't kept for the next visit.
  }
}

export function removeStored(key: string, area: StorageArea = 'local'): void {
  try {
    areaOf(area).removeItem(PREFIX + key)
  } catch {}
}

export function clearStored(keyStart: string, area: StorageArea = 'local'): void {
  try {
    const keys = Object.keys(areaOf(area)).filter((key) => key.startsWith(PREFIX + keyStart))
    for (const key of keys) areaOf(area).removeItem(key)
  } catch {}
}

export function readStoredJson(key: string, area: StorageArea = 'local'): unknown {
  const text = readStored(key, area)
  if (text === null) return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** A record the user has opened: its location and the time, never its content. */
export type RecentRecord = { readonly collection: string; readonly record: string; readonly atMs: number }

/** Maximum number of stored records: as many as the home page shows, so that no browsing history is kept. */
const MAX_RECENT = 6

const keyOf = (userId: string) => `recent.${userId}`

const isRecent = (value: unknown): value is RecentRecord =>
  typeof value === 'object' && value !== null && 'collection' in value && 'record' in value && 'atMs' in value

export function recentRecords(userId: string): readonly RecentRecord[] {
  const kept = readStoredJson(keyOf(userId))
  return Array.isArray(kept) ? kept.filter(isRecent) : []
}

/** Stores only IDs; names are always read from the server. */
export function addRecentRecord(
  userId: string,
  opened: { readonly collection: string; readonly record: string },
): void {
  const { collection, record } = opened
  const others = recentRecords(userId).filter((one) => one.record !== record || one.collection !== collection)
  const recent = [{ collection, record, atMs: Date.now() }, ...others].slice(0, MAX_RECENT)
  setStored(keyOf(userId), JSON.stringify(recent))
}

export function removeRecentRecord(userId: string, record: string): void {
  const rest = recentRecords(userId).filter((one) => one.record !== record)
  if (rest.length === 0) removeStored(keyOf(userId))
  else setStored(keyOf(userId), JSON.stringify(rest))
}

const KEY = 'single-keys'

/** Whether single-key shortcuts are enabled in this browser; speech input can trigger them by accident. */
export const areSingleKeysEnabled = (): boolean => readStored(KEY) !== 'off'

export function setSingleKeys(areOn: boolean): void {
  if (areOn) removeStored(KEY)
  else setStored(KEY, 'off')
}
