import { setStored, readStoredJson } from '#web/data/storage/browser-storage.ts'

/** More than are shown at once, so that some are left where others cannot be used on a page. */
const MAX_RECENT = 12

const keyOf = (userId: string) => `palette.${userId}`

/** What this user took from the palette last in this browser, by its ids, newest first. */
export function recentItems(userId: string): readonly string[] {
  const kept = readStoredJson(keyOf(userId))
  return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === 'string') : []
}

/** Remembers that something was taken. */
export function addRecentItem(userId: string, id: string): void {
  const others = recentItems(userId).filter((one) => one !== id)
  setStored(keyOf(userId), JSON.stringify([id, ...others].slice(0, MAX_RECENT)))
}
