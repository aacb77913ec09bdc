import type { RecordChange } from '#domain/query/list/evaluate-change.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { CommitNotice, ChangeFeed, ChangedRecords } from '#server/platform/events/change-feed.ts'
import type { CommitId, CommitSnapshot } from '#server/platform/database/database.ts'
import {
  type SharedCancellation,
  withoutCancellation,
  createSharedCancellation,
} from '#server/platform/database/cancellation.ts'
import type { BackgroundQueue } from '#server/platform/concurrency/background-queue.ts'
import { type LruMap, createLruMap } from '#server/platform/lru-map.ts'

export type CacheSubject = {
  /** The serialized query; subjects with equal keys have the same result. */
  readonly key: string
  /** The queried collection; changes to its records are applied to the result one by one. */
  readonly collection: CollectionId
  /** Collections that the query reads through relations; any change in them invalidates the result. */
  readonly reached: ReadonlySet<CollectionId>
}

export type ResultSnapshot<Value> = { readonly value: Value; readonly view: CommitSnapshot }

export type LoadResult<Value> = () => Promise<ResultSnapshot<Value> | undefined>

export type RecordUpdate = { readonly mark: CommitId; readonly change: RecordChange }

export type CachePolicy<About extends CacheSubject, Value> = {
  /**
   * The result after a change that the query didn't include; undefined if the change can't be applied to the result.
   */
  readonly follow: (value: Value, reported: RecordUpdate, about: About) => Value | undefined
  readonly bytesOf: (value: Value) => number
  readonly maxEntries: number
  readonly maxBytes: number
}

/** In-memory LRU cache of query results, updated with every commit. */
export type ResultCache<About extends CacheSubject, Value> = {
  readonly now: (about: About) => Value | undefined
  /** Loads a value for a waiting request; concurrent requests share one load. */
  readonly read: (about: About, read: LoadResult<Value>) => Promise<Value | undefined>
  /** Loads a value in the background for the next request; resolves when done, or with undefined if skipped. */
  readonly prepare: (about: About, read: LoadResult<Value>) => Promise<Value | undefined>
}

export type ResultCacheDeps = {
  readonly feed: ChangeFeed
  readonly line: BackgroundQueue
  /** A monotonic clock in ms. */
  readonly nowMs: () => number
}

type CacheEntry<About, Value> = {
  readonly about: About
  seen: ResultSnapshot<Value> | undefined
  reading: Promise<Value | undefined> | undefined
  work: SharedCancellation
  /** Changes since the read, to be applied by the next request. */
  pendingUpdates: RecordUpdate[]
  isRequested: boolean
}

type CacheState<About extends CacheSubject, Value> = {
  readonly nowMs: () => number
  readonly keeping: CachePolicy<About, Value>
  readonly entries: LruMap<CacheEntry<About, Value>>
  /** Timestamp in ms until which an entry isn't preloaded again. */
  readonly pauses: LruMap<number>
}

/** Maximum number of pending changes before they are applied or, for an unused entry, before it is dropped. */
const MAX_PENDING_UPDATES = 64

/**
 * Maximum number of pending changes during a read. Higher, because the slowest scans take seconds and don't block
 * writers.
 */
const MAX_PENDING_WHILE_LOADING = 20_000

/** After a preload, the next one is delayed by this multiple of its duration. */
const BACKOFF_FACTOR = 4

/** Each key is stored twice: as text and in its query object. */
const BYTES_PER_KEY_CHARACTER = 6

/** Subscribes to the change feed for the lifetime of the process. */
export function createResultCache<About extends CacheSubject, Value>(
  { feed, line, nowMs }: ResultCacheDeps,
  keeping: CachePolicy<About, Value>,
): ResultCache<About, Value> {
  const { maxEntries, maxBytes } = keeping
  const entries = createLruMap<CacheEntry<About, Value>>(maxEntries, maxBytes)
  const pauses = createLruMap<number>(maxEntries)
  const cache: CacheState<About, Value> = { nowMs, keeping, entries, pauses }
  feed.subscribe((announcement) => {
    for (const entry of entries.values()) applyNotice(cache, entry, announcement)
  })

  const add = (about: About): CacheEntry<About, Value> => {
    const entry: CacheEntry<About, Value> = {
      about,
      seen: undefined,
      reading: undefined,
      work: createSharedCancellation(),
      pendingUpdates: [],
      isRequested: true,
    }
    entries.set(about.key, entry)
    return entry
  }
  const now = (about: About): Value | undefined => {
    const entry = entries.find(about.key)
    if (!entry) return undefined
    entry.isRequested = true
    return applyUpdates(cache, entry)
  }
  return {
    now,
    read: async (about, read) => {
      const known = now(about)
      if (known !== undefined) return known
      const entry = entries.find(about.key) ?? add(about)
      return joined(entry, entry.reading ?? start(cache, entry, read))
    },
    prepare: async (about, read) => {
      const known = entries.peek(about.key)
      const { reading } = known ?? {}
      if (known && reading) return withoutCancellation(() => joined(known, reading)).then(undefined, () => undefined)
      if (known) return now(about)
      if (nowMs() < (pauses.peek(about.key) ?? 0)) return undefined
      const entry = add(about)
      const prepared = await line.add(() => startInBackground(cache, entry, read))
      if (!entry.seen && !entry.reading) remove(cache, entry)
      return prepared
    },
  }
}

const isCurrent = <About extends CacheSubject, Value>(
  { entries }: CacheState<About, Value>,
  entry: CacheEntry<About, Value>,
): boolean => entries.peek(entry.about.key) === entry

function remove<About extends CacheSubject, Value>(
  cache: CacheState<About, Value>,
  entry: CacheEntry<About, Value>,
): void {
  if (isCurrent(cache, entry)) cache.entries.delete(entry.about.key)
}

function storeResult<About extends CacheSubject, Value>(
  { entries, keeping }: CacheState<About, Value>,
  entry: CacheEntry<About, Value>,
  seen: ResultSnapshot<Value>,
): void {
  entry.seen = seen
  entries.set(entry.about.key, entry, keeping.bytesOf(seen.value) + entry.about.key.length * BYTES_PER_KEY_CHARACTER)
}

function applyNotice<About extends CacheSubject, Value>(
  cache: CacheState<About, Value>,
  entry: CacheEntry<About, Value>,
  { mark, changed }: CommitNotice,
): void {
  const reported = changed === 'everything' ? 'many' : updatesFor(entry.about, changed)
  if (reported === undefined) return
  if (reported === 'many' || mark === null) return remove(cache, entry)
  // A read that hasn't started yet will include these changes.
  if (!entry.seen && !entry.reading) return
  for (const change of reported) entry.pendingUpdates.push({ mark, change })
  if (entry.pendingUpdates.length <= (entry.reading ? MAX_PENDING_WHILE_LOADING : MAX_PENDING_UPDATES)) return
  if (!entry.isRequested || entry.reading) return remove(cache, entry)
  entry.isRequested = false
  applyUpdates(cache, entry)
}

function updatesFor(
  { collection, reached }: CacheSubject,
  changed: ReadonlyMap<CollectionId, ChangedRecords>,
): ChangedRecords | undefined {
  for (const id of reached) if (changed.has(id)) return 'many'
  return changed.get(collection)
}

function applyUpdates<About extends CacheSubject, Value>(
  cache: CacheState<About, Value>,
  entry: CacheEntry<About, Value>,
): Value | undefined {
  if (!entry.seen) return undefined
  const { view, value: before } = entry.seen
  let value: Value | undefined = before
  for (const reported of entry.pendingUpdates) {
    if (value !== undefined && !view.includes(reported.mark)) value = cache.keeping.follow(value, reported, entry.about)
  }
  entry.pendingUpdates = []
  if (value === undefined) remove(cache, entry)
  else if (value !== before && isCurrent(cache, entry)) storeResult(cache, entry, { value, view })
  return value
}

function start<About extends CacheSubject, Value>(
  cache: CacheState<About, Value>,
  entry: CacheEntry<About, Value>,
  read: LoadResult<Value>,
): Promise<Value | undefined> {
  const finish = (seen: ResultSnapshot<Value> | undefined): Value | undefined => {
    entry.reading = undefined
    // If the entry was removed during the read, the result is still returned, because it was correct when read.
    if (!seen || !isCurrent(cache, entry)) {
      remove(cache, entry)
      return seen?.value
    }
    storeResult(cache, entry, seen)
    return applyUpdates(cache, entry) ?? seen.value
  }
  entry.pendingUpdates = []
  entry.work = createSharedCancellation()
  entry.work.onUnwanted(() => {
    // A request that arrives while the read is being canceled starts a new read.
    if (entry.reading) remove(cache, entry)
  })
  entry.reading = entry.work.run(read).then(finish, (error: unknown) => {
    remove(cache, entry)
    throw error
  })
  return entry.reading
}

function joined<About, Value, Reading>({ work }: CacheEntry<About, Value>, reading: Reading): Reading {
  work.join()
  return reading
}

async function startInBackground<About extends CacheSubject, Value>(
  cache: CacheState<About, Value>,
  entry: CacheEntry<About, Value>,
  read: LoadResult<Value>,
): Promise<Value | undefined> {
  // Another request may have loaded the entry while this one was queued.
  if (!isCurrent(cache, entry) || entry.seen || entry.reading) return entry.reading ?? applyUpdates(cache, entry)
  const startedAtMs = cache.nowMs()
  const reading = start(cache, entry, read)
  // A preload serves later requests, so no client can cancel it.
  return withoutCancellation(() => joined(entry, reading)).finally(() => {
    const endedAtMs = cache.nowMs()
    cache.pauses.set(entry.about.key, endedAtMs + (endedAtMs - startedAtMs) * BACKOFF_FACTOR)
  })
}
