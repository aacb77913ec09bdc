import { keep, readKeptJson } from '#web/client/browser-storage.ts'

/** More than are shown at once, so that some are left where others cannot be used on a page. */
const MOST_USED = 12

const keyOf = (userId: string) => `palette.${userId}`

/** What this user took from the palette last in this browser, by its ids, newest first. */
export function usedItems(userId: string): readonly string[] {
  const kept = readKeptJson(keyOf(userId))
  return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === 'string') : []
}

/** Remembers that something was taken. */
export function rememberUsed(userId: string, id: string): void {
  const others = usedItems(userId).filter((one) => one !== id)
  keep(keyOf(userId), JSON.stringify([id, ...others].slice(0, MOST_USED)))
}
