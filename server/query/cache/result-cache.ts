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
  /** The whole query as text: subjects with equal keys have the same result. */
  readonly key: string
  /** The collection of the records, whose changes are evaluated one by one. */
  readonly collection: CollectionId
  /** Collections that it reads through relations: a change in one of them invalidates it. */
  readonly reached: ReadonlySet<CollectionId>
}

export type ResultSnapshot<Value> = { readonly value: Value; readonly view: CommitSnapshot }

export type LoadResult<Value> = () => Promise<ResultSnapshot<Value> | undefined>

export type RecordUpdate = { readonly mark: CommitId; readonly change: RecordChange }

export type CachePolicy<About extends CacheSubject, Value> = {
  /** The result after a change that its query did not see; undefined when unknown. */
  readonly follow: (value: Value, reported: RecordUpdate, about: About) => Value | undefined
  readonly bytesOf: (value: Value) => number
  readonly maxEntries: number
  readonly maxBytes: number
}

/** Results in memory that are updated with every commit; the least recently used are evicted. */
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
  /** Changes since the read, which the next request applies. */
  pendingUpdates: RecordUpdate[]
  isRequested: boolean
}

type CacheState<About extends CacheSubject, Value> = {
  readonly nowMs: () => number
  readonly keeping: CachePolicy<About, Value>
  readonly entries: LruMap<CacheEntry<About, Value>>
  /** Time in ms until which the entry is not preloaded again. */
  readonly pauses: LruMap<number>
}

/** Maximum changes that an entry collects before they are applied, or before an unused entry is dropped. */
const MAX_PENDING_UPDATES = 64

/** The same during a read: the slowest scans take seconds, and writers don't wait for them. */
const MAX_PENDING_WHILE_LOADING = 20_000

/** A preload may use one part of the time, and then pauses for this many parts. */
const BACKOFF_FACTOR = 4

/** A key is stored both as text and within its query. */
const BYTES_PER_KEY_CHARACTER = 6

/** It subscribes to the feed for the lifetime of the process. */
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
  const reported = changed === 'everything' ? 'much' : updatesFor(entry.about, changed)
  if (reported === undefined) return
  if (reported === 'much' || mark === null) return remove(cache, entry)
  // All changes reported so far are applied before the read starts.
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
  for (const id of reached) if (changed.has(id)) return 'much'
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
    // An entry removed in the meantime was still correct when it was read.
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
    // A request that arrives while the read is being canceled starts a new one.
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
  // Another request may have loaded it while this one was queued.
  if (!isCurrent(cache, entry) || entry.seen || entry.reading) return entry.reading ?? applyUpdates(cache, entry)
  const startedAtMs = cache.nowMs()
  const reading = start(cache, entry, read)
  // It is loaded for the next request, so no client can cancel it.
  return withoutCancellation(() => joined(entry, reading)).finally(() => {
    const endedAtMs = cache.nowMs()
    cache.pauses.set(entry.about.key, endedAtMs + (endedAtMs - startedAtMs) * BACKOFF_FACTOR)
  })
}
