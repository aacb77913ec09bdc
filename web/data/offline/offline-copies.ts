import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { createStore, delMany, entries, get, setMany } from 'idb-keyval'
import type { SessionUser } from '#api/sessions.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { findUnsent } from '#web/data/unsent/unsent-state.ts'
import { sessionState } from '#web/data/session/session-state.ts'
import { TRANSIENT_KEY } from '#web/data/session/session-tabs.ts'
import { readStored } from '#web/data/storage/browser-storage.ts'
import { COPIES_STORE, OFFLINE_DATABASE } from '#web/data/storage/clear-databases.ts'

/** The data last shown to the user, for offline startup only: when online, the server decides what the user can see. */
type Copy = {
  readonly userId: string
  readonly key: QueryKey
  readonly data: unknown
  readonly atMs: number
}

/** Maximum number of copies per user, and their maximum age in ms: the default idle timeout of a remembered session. */
const MAX_COPIES = 200
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000

/** Delay in ms after which several copies are written at once. */
const WRITE_DELAY_MS = 250

const RECORD_PARTS: readonly unknown[] = ['one', 'list']

/**
 * Only collections, their views, opened records and list pages are cached. Unsent records are stored separately; a copy
 * could be older and hide edits.
 */
export function isKeptOffline([first, , part, id, more]: QueryKey): boolean {
  if (first === queryKeys.records('')[0])
    return RECORD_PARTS.includes(part) && more !== 'history' && !findUnsent(String(id))
  return [queryKeys.collections, queryKeys.views(''), ['recent']].some(([name]) => name === first)
}

/** Keeps this user's newest copies and deletes all others. */
export function selectCopies<Key>(all: readonly (readonly [Key, Copy])[], userId: string, nowMs: number) {
  const newest = all
    .filter(([, copy]) => copy.userId === userId && nowMs - copy.atMs < MAX_AGE_MS)
    .toSorted(([, one], [, other]) => other.atMs - one.atMs)
    .slice(0, MAX_COPIES)
  const kept = new Set(newest.map(([key]) => key))
  return { newest: newest.map(([, copy]) => copy), removed: all.flatMap(([key]) => (kept.has(key) ? [] : [key])) }
}

const USER_KEY: QueryKey = ['user']

const store = createStore(OFFLINE_DATABASE, COPIES_STORE)

const nameOf = ({ userId, key }: Pick<Copy, 'userId' | 'key'>): string => `${userId} ${JSON.stringify(key)}`

const isTransient = (): boolean => readStored(TRANSIENT_KEY) !== null

/** The user whose data may be cached; undefined during impersonation and for sessions that end with the browser. */
function userToKeep(): SessionUser | undefined {
  const { user } = sessionState.get()
  return user && !user.view_as && !isTransient() ? user : undefined
}

/** Caches the results of successful reads. */
export function keepCopies(queryClient: QueryClient): void {
  const waiting = new Map<string, Copy>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = async () => {
    timer = undefined
    const userId = userToKeep()?.id
    const own = [...waiting].filter(([, copy]) => copy.userId === userId)
    waiting.clear()
    await setMany(own, store)
    const { removed } = selectCopies(await entries<string, Copy>(store), userId ?? '', Date.now())
    await delMany(removed, store)
  }
  const add = (userId: string, key: QueryKey, data: unknown) => {
    const copy = { userId, key, data, atMs: Date.now() }
    waiting.set(nameOf(copy), copy)
    timer ??= setTimeout(() => void write().then(undefined, () => undefined), WRITE_DELAY_MS)
  }
  const keep = ({ queryKey, state }: Query) => {
    const user = userToKeep()
    if (!user || state.data === undefined || !isKeptOffline(queryKey)) return
    add(user.id, queryKey, state.data)
    add(user.id, USER_KEY, user)
  }
  const cache = queryClient.getQueryCache()
  for (const query of cache.getAll()) keep(query)
  cache.subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') keep(event.query)
  })
}

/**
 * Restores the cached data and the user of the last session in this browser; returns undefined if nothing is cached.
 */
export async function restoreCopies(queryClient: QueryClient, userId: string): Promise<SessionUser | undefined> {
  if (isTransient()) return undefined
  const kept = await get<Copy>(nameOf({ userId, key: USER_KEY }), store)
  if (!kept || Date.now() - kept.atMs >= MAX_AGE_MS) return undefined
  const { newest } = selectCopies(await entries<string, Copy>(store), userId, Date.now())
  for (const { key, data, atMs } of newest)
    if (key[0] !== USER_KEY[0]) queryClient.setQueryData(key, data, { updatedAt: atMs })
  // `keepCopies` stores the user in this format.
  return kept.data as SessionUser
}
