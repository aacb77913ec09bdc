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
import { type LruMap, createLruMap } from './lru-map.ts'

/** What a result was found for, and what may change it. */
export type CacheSubject = {
  /** The whole question as text: two subjects of one key are answered the same. */
  readonly key: string
  /** The collection whose records it is about; their changes are judged one by one. */
  readonly collection: CollectionId
  /** Collections it reads through relations: a change in them invalidates it. */
  readonly reached: ReadonlySet<CollectionId>
}

/** A result as it was read, and which commits the statement had seen. */
export type ResultSnapshot<Value> = { readonly value: Value; readonly view: CommitSnapshot }

/** Reads a result; undefined where it is not to be kept. */
export type LoadResult<Value> = () => Promise<ResultSnapshot<Value> | undefined>

/** One change of a record, and the commit it came with. */
export type RecordUpdate = { readonly mark: CommitId; readonly change: RecordChange }

/** How results of one sort are kept. */
export type CachePolicy<About extends CacheSubject, Value> = {
  /** The result after a change that its reading had not seen; undefined when that cannot be known. */
  readonly follow: (value: Value, told: RecordUpdate, about: About) => Value | undefined
  readonly bytesOf: (value: Value) => number
  readonly mostEntries: number
  readonly mostBytes: number
}

/** Results in memory that follow every commit. What was not asked for longest makes room for what is new. */
export type ResultCache<About extends CacheSubject, Value> = {
  /** The result, if it is known at this moment. */
  readonly now: (about: About) => Value | undefined
  /** Loads a value for a waiting request; concurrent requests share one load. */
  readonly read: (about: About, read: LoadResult<Value>) => Promise<Value | undefined>
  /** Loads a value in the background for the next request; resolves when done, or undefined when skipped. */
  readonly prepare: (about: About, read: LoadResult<Value>) => Promise<Value | undefined>
}

/** What keepers of results share. */
export type ResultCacheDeps = {
  readonly feed: ChangeFeed
  readonly line: BackgroundQueue
  /** Counts milliseconds and never jumps back. */
  readonly nowMs: () => number
}

type CacheEntry<About, Value> = {
  readonly about: About
  seen: ResultSnapshot<Value> | undefined
  reading: Promise<Value | undefined> | undefined
  /** Who waits for the reading. */
  work: SharedCancellation
  /** Changes that were told since and are not worked in yet; it is done when somebody asks. */
  heard: RecordUpdate[]
  /** Whether anybody asked since changes were last worked in. */
  isAsked: boolean
}

type CacheState<About extends CacheSubject, Value> = {
  readonly nowMs: () => number
  readonly keeping: CachePolicy<About, Value>
  readonly entries: LruMap<CacheEntry<About, Value>>
  /** Until when, in ms, what was read for nobody is not read for nobody again. */
  readonly rests: LruMap<number>
}

/** Changes an entry gathers before they are worked in, or before it goes because nobody asks for it any more. */
const MAX_PENDING_UPDATES = 64

/** The same while it is read: the slowest scans take seconds, and writers do not wait. */
const MAX_PENDING_WHILE_LOADING = 20_000

/** What is read for nobody may take one part of the time, and then rests for so many. */
const BACKOFF_FACTOR = 4

/** A key is kept once as text and once more as the query it was made from. */
const BYTES_PER_KEY_CHARACTER = 6

/** Opens a keeper of results. It listens to the feed for as long as the process lives. */
export function createResultCache<About extends CacheSubject, Value>(
  { feed, line, nowMs }: ResultCacheDeps,
  keeping: CachePolicy<About, Value>,
): ResultCache<About, Value> {
  const { mostEntries, mostBytes } = keeping
  const entries = createLruMap<CacheEntry<About, Value>>({ entries: mostEntries, weight: mostBytes })
  const rests = createLruMap<number>({ entries: mostEntries, weight: Number.POSITIVE_INFINITY })
  const cache: CacheState<About, Value> = { nowMs, keeping, entries, rests }
  feed.subscribe((announcement) => {
    for (const entry of entries.values()) applyNotice(cache, entry, announcement)
  })

  const add = (about: About): CacheEntry<About, Value> => {
    const entry: CacheEntry<About, Value> = {
      about,
      seen: undefined,
      reading: undefined,
      work: createSharedCancellation(),
      heard: [],
      isAsked: true,
    }
    entries.set(about.key, entry, 0)
    return entry
  }
  const now = (about: About): Value | undefined => {
    const entry = entries.find(about.key)
    if (!entry) return undefined
    entry.isAsked = true
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
      // Whoever it is read for is told why it cannot be.
      const { reading } = known ?? {}
      if (known && reading) return withoutCancellation(() => joined(known, reading)).then(undefined, () => undefined)
      if (known) return now(about)
      if (nowMs() < (rests.peek(about.key) ?? 0)) return undefined
      const entry = add(about)
      const prepared = await line.add(() => startInBackground(cache, entry, read))
      // The line was full, or is closed.
      if (!entry.seen && !entry.reading) remove(cache, entry)
      return prepared
    },
  }
}

/** Whether an entry still stands for its key. */
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
  const told = changed === 'everything' ? 'much' : updatesFor(entry.about, changed)
  if (told === undefined) return
  if (told === 'much' || mark === null) return remove(cache, entry)
  // Before its reading begins everything told so far is there to be read.
  if (!entry.seen && !entry.reading) return
  for (const change of told) entry.heard.push({ mark, change })
  if (entry.heard.length <= (entry.reading ? MAX_PENDING_WHILE_LOADING : MAX_PENDING_UPDATES)) return
  if (!entry.isAsked || entry.reading) return remove(cache, entry)
  entry.isAsked = false
  applyUpdates(cache, entry)
}

/** What an announcement tells a subject; undefined when it is none of its business. */
function updatesFor(
  { collection, reached }: CacheSubject,
  changed: ReadonlyMap<CollectionId, ChangedRecords>,
): ChangedRecords | undefined {
  for (const id of reached) if (changed.has(id)) return 'much'
  return changed.get(collection)
}

/** Works in what was heard and answers the result as it is now. */
function applyUpdates<About extends CacheSubject, Value>(
  cache: CacheState<About, Value>,
  entry: CacheEntry<About, Value>,
): Value | undefined {
  if (!entry.seen) return undefined
  const { view, value: before } = entry.seen
  let value: Value | undefined = before
  for (const told of entry.heard) {
    if (value !== undefined && !view.includes(told.mark)) value = cache.keeping.follow(value, told, entry.about)
  }
  entry.heard = []
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
    // One that was removed meanwhile was still true when it was read.
    if (!seen || !isCurrent(cache, entry)) {
      remove(cache, entry)
      return seen?.value
    }
    storeResult(cache, entry, seen)
    return applyUpdates(cache, entry) ?? seen.value
  }
  entry.heard = []
  entry.work = createSharedCancellation()
  entry.work.onUnwanted(() => {
    // Whoever comes while the reading is being ended has it read anew.
    if (entry.reading) remove(cache, entry)
  })
  entry.reading = entry.work.run(read).then(finish, (error: unknown) => {
    remove(cache, entry)
    throw error
  })
  return entry.reading
}

/** Has whoever is here wait for a reading. */
function joined<About, Value, Reading>({ work }: CacheEntry<About, Value>, reading: Reading): Reading {
  work.join()
  return reading
}

async function startInBackground<About extends CacheSubject, Value>(
  cache: CacheState<About, Value>,
  entry: CacheEntry<About, Value>,
  read: LoadResult<Value>,
): Promise<Value | undefined> {
  // Somebody may have had it read while it stood in line.
  if (!isCurrent(cache, entry) || entry.seen || entry.reading) return entry.reading ?? applyUpdates(cache, entry)
  const startedAtMs = cache.nowMs()
  const reading = start(cache, entry, read)
  // It is read for whoever comes next, so nobody's leaving ends it.
  return withoutCancellation(() => joined(entry, reading)).finally(() => {
    const endedAtMs = cache.nowMs()
    cache.rests.set(entry.about.key, endedAtMs + (endedAtMs - startedAtMs) * BACKOFF_FACTOR, 1)
  })
}
