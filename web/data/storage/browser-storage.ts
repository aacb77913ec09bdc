/** `local`: for all tabs, permanently. `session`: for this tab until it is closed. */
export type StorageArea = 'local' | 'session'

/** Prefix of every key, so that other apps on the same origin are not affected. */
const PREFIX = 'dossier.'

const areaOf = (area: StorageArea): Storage => (area === 'local' ? window.localStorage : window.sessionStorage)

/** Whether offline records are pending; see `unsent-state.ts`. */
export const UNSENT_FLAG = 'unsent'

export function readStored(key: string, area: StorageArea = 'local'): string | null {
  try {
    return areaOf(area).getItem(PREFIX + key)
  } catch {
    return null
  }
}

/** Stores a value; ignores storage errors, because everything stored here is optional. */
export function setStored(key: string, value: string, area: StorageArea = 'local'): void {
  try {
    areaOf(area).setItem(PREFIX + key, value)
  } catch {
    // The storage is full or blocked: the next visit starts without the value.
  }
}

export function removeStored(key: string, area: StorageArea = 'local'): void {
  try {
    areaOf(area).removeItem(PREFIX + key)
  } catch {
  }
}

export function clearStored(keyStart: string, area: StorageArea = 'local'): void {
  try {
    const keys = Object.keys(areaOf(area)).filter((key) => key.startsWith(PREFIX + keyStart))
    for (const key of keys) areaOf(area).removeItem(key)
  } catch {
  }
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

/** An opened record: where and when, never its content. */
export type RecentRecord = { readonly collection: string; readonly record: string; readonly atMs: number }

/** Maximum number; no more than the home page shows, so that no browsing history is stored. */
const MAX_RECENT = 6

const keyOf = (userId: string) => `recent.${userId}`

const isRecent = (value: unknown): value is RecentRecord =>
  typeof value === 'object' && value !== null && 'collection' in value && 'record' in value && 'atMs' in value

export function recentRecords(userId: string): readonly RecentRecord[] {
  const kept = readStoredJson(keyOf(userId))
  return Array.isArray(kept) ? kept.filter(isRecent) : []
}

/** Only IDs are stored; names are read from the server each time. */
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

/** Whether single-key shortcuts are enabled in this browser; speech input can trigger them accidentally. */
export const areSingleKeysEnabled = (): boolean => readStored(KEY) !== 'off'

export function setSingleKeys(areOn: boolean): void {
  if (areOn) removeStored(KEY)
  else setStored(KEY, 'off')
}
