import { removeStored, setStored, readStoredJson } from './browser-storage.ts'

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
