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

/** A record somebody opened: where it is and when, never what it says. */
export type RecentRecord = { readonly collection: string; readonly record: string; readonly atMs: number }

/** How many are remembered; more than fit on the home page at once would be a history, which this is not. */
const MAX_RECENT = 6

const keyOf = (userId: string) => `recent.${userId}`

const isRecent = (value: unknown): value is RecentRecord =>
  typeof value === 'object' && value !== null && 'collection' in value && 'record' in value && 'atMs' in value

/** What this user opened last in this browser, newest first. */
export function recentRecords(userId: string): readonly RecentRecord[] {
  const kept = readStoredJson(keyOf(userId))
  return Array.isArray(kept) ? kept.filter(isRecent) : []
}

/** Remembers that a record was opened. Ids alone are kept: what they name is read from the server each time. */
export function addRecentRecord(
  userId: string,
  opened: { readonly collection: string; readonly record: string },
): void {
  const { collection, record } = opened
  const others = recentRecords(userId).filter((one) => one.record !== record || one.collection !== collection)
  const recent = [{ collection, record, atMs: Date.now() }, ...others].slice(0, MAX_RECENT)
  setStored(keyOf(userId), JSON.stringify(recent))
}

/** Forgets a record that is not there any more. */
export function removeRecentRecord(userId: string, record: string): void {
  const rest = recentRecords(userId).filter((one) => one.record !== record)
  if (rest.length === 0) removeStored(keyOf(userId))
  else setStored(keyOf(userId), JSON.stringify(rest))
}

const KEY = 'single-keys'

/** Whether single keys do something in this browser: speech input presses them by accident, so they can be switched off. */
export const areSingleKeysEnabled = (): boolean => readStored(KEY) !== 'off'

/** Switches them on or off. */
export function setSingleKeys(areOn: boolean): void {
  if (areOn) removeStored(KEY)
  else setStored(KEY, 'off')
}
