import type { RecordChange } from '#domain/query/judge-change.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Announcement, ChangeFeed, RecordsChanged } from '#server/changes/change-feed.ts'
import type { CommitMark, CommitView } from '#server/database/commit-mark.ts'
import { type SharedWork, forWhoever, sharedWork } from '#server/database/while-wanted.ts'
import type { BackgroundLine } from './background-line.ts'
import { type BoundedMap, boundedMap } from './bounded-map.ts'

/** What a result was found for, and what may change it. */
export type Subject = {
  /** The whole question as text: two subjects of one key are answered the same. */
  readonly key: string
  /** The collection whose records it is about; their changes are judged one by one. */
  readonly collection: CollectionId
  /** Collections it reads besides, through relations: after any change in them it is found anew. */
  readonly reached: ReadonlySet<CollectionId>
}

/** A result as it was read, and which commits the statement had seen. */
export type Seen<Value> = { readonly value: Value; readonly view: CommitView }

/** Reads a result; undefined where it is not to be kept. */
export type ReadResult<Value> = () => Promise<Seen<Value> | undefined>

/** One change of a record, and the commit it came with. */
export type Told = { readonly mark: CommitMark; readonly change: RecordChange }

/** How results of one sort are kept. */
export type Keeping<About extends Subject, Value> = {
  /** The result after a change that its reading had not seen; undefined when that cannot be known. */
  readonly follow: (value: Value, told: Told, about: About) => Value | undefined
  readonly bytesOf: (value: Value) => number
  readonly mostEntries: number
  readonly mostBytes: number
}

/** Results in memory that follow every commit. What was not asked for longest makes room for what is new. */
export type KeptResults<About extends Subject, Value> = {
  /** The result, if it is known at this moment. */
  readonly now: (about: About) => Value | undefined
  /** Reads it, for somebody who waits; several who ask at once share one reading. */
  readonly read: (about: About, read: ReadResult<Value>) => Promise<Value | undefined>
  /** Has it read when there is time, for whoever asks next; answers when that is done, or undefined when it is not to be. */
  readonly prepare: (about: About, read: ReadResult<Value>) => Promise<Value | undefined>
}

/** What keepers of results share. */
export type KeeperNeeds = {
  readonly feed: ChangeFeed
  readonly line: BackgroundLine
  /** Counts milliseconds and never jumps back. */
  readonly nowMs: () => number
}

type Entry<About, Value> = {
  readonly about: About
  seen: Seen<Value> | undefined
  reading: Promise<Value | undefined> | undefined
  /** Who waits for the reading. */
  work: SharedWork
  /** Changes that were told since and are not worked in yet; it is done when somebody asks. */
  heard: Told[]
  /** Whether anybody asked since changes were last worked in. */
  isAsked: boolean
}

type Keeper<About extends Subject, Value> = {
  readonly nowMs: () => number
  readonly keeping: Keeping<About, Value>
  readonly entries: BoundedMap<Entry<About, Value>>
  /** Until when, in ms, what was read for nobody is not read for nobody again. */
  readonly rests: BoundedMap<number>
}

/** Changes an entry gathers before they are worked in, or before it goes because nobody asks for it any more. */
const MOST_HEARD = 64

/** The same while it is read: the slowest scans take seconds, and writers do not wait. */
const MOST_HEARD_WHILE_READING = 20_000

/** What is read for nobody may take one part of the time, and then rests for so many. */
const REST_FACTOR = 4

/** A key is kept once as text and once more as the query it was made from. */
const BYTES_A_LETTER_OF_KEY = 6

/** Opens a keeper of results. It listens to the feed for as long as the process lives. */
export function keptResults<About extends Subject, Value>(
  { feed, line, nowMs }: KeeperNeeds,
  keeping: Keeping<About, Value>,
): KeptResults<About, Value> {
  const { mostEntries, mostBytes } = keeping
  const entries = boundedMap<Entry<About, Value>>({ entries: mostEntries, weight: mostBytes })
  const rests = boundedMap<number>({ entries: mostEntries, weight: Number.POSITIVE_INFINITY })
  const keeper: Keeper<About, Value> = { nowMs, keeping, entries, rests }
  feed.subscribe((announcement) => {
    for (const entry of entries.values()) hear(keeper, entry, announcement)
  })

  const add = (about: About): Entry<About, Value> => {
    const entry: Entry<About, Value> = {
      about,
      seen: undefined,
      reading: undefined,
      work: sharedWork(),
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
    return settle(keeper, entry)
  }
  return {
    now,
    read: async (about, read) => {
      const known = now(about)
      if (known !== undefined) return known
      const entry = entries.find(about.key) ?? add(about)
      return joined(entry, entry.reading ?? start(keeper, entry, read))
    },
    prepare: async (about, read) => {
      const known = entries.peek(about.key)
      // Whoever it is read for is told why it cannot be.
      const { reading } = known ?? {}
      if (known && reading) return forWhoever(() => joined(known, reading)).then(undefined, () => undefined)
      if (known) return now(about)
      if (nowMs() < (rests.peek(about.key) ?? 0)) return undefined
      const entry = add(about)
      const prepared = await line.add(() => startInLine(keeper, entry, read))
      // The line was full, or is closed.
      if (!entry.seen && !entry.reading) remove(keeper, entry)
      return prepared
    },
  }
}

/** Whether an entry still stands for its key. */
const isKept = <About extends Subject, Value>({ entries }: Keeper<About, Value>, entry: Entry<About, Value>): boolean =>
  entries.peek(entry.about.key) === entry

function remove<About extends Subject, Value>(keeper: Keeper<About, Value>, entry: Entry<About, Value>): void {
  if (isKept(keeper, entry)) keeper.entries.delete(entry.about.key)
}

function keep<About extends Subject, Value>(
  { entries, keeping }: Keeper<About, Value>,
  entry: Entry<About, Value>,
  seen: Seen<Value>,
): void {
  entry.seen = seen
  entries.set(entry.about.key, entry, keeping.bytesOf(seen.value) + entry.about.key.length * BYTES_A_LETTER_OF_KEY)
}

function hear<About extends Subject, Value>(
  keeper: Keeper<About, Value>,
  entry: Entry<About, Value>,
  { mark, changed }: Announcement,
): void {
  const told = changed === 'everything' ? 'much' : toldTo(entry.about, changed)
  if (told === undefined) return
  if (told === 'much' || mark === null) return remove(keeper, entry)
  // Before its reading begins everything told so far is there to be read.
  if (!entry.seen && !entry.reading) return
  for (const change of told) entry.heard.push({ mark, change })
  if (entry.heard.length <= (entry.reading ? MOST_HEARD_WHILE_READING : MOST_HEARD)) return
  if (!entry.isAsked || entry.reading) return remove(keeper, entry)
  entry.isAsked = false
  settle(keeper, entry)
}

/** What an announcement tells a subject; undefined when it is none of its business. */
function toldTo(
  { collection, reached }: Subject,
  changed: ReadonlyMap<CollectionId, RecordsChanged>,
): RecordsChanged | undefined {
  for (const id of reached) if (changed.has(id)) return 'much'
  return changed.get(collection)
}

/** Works in what was heard and answers the result as it is now. */
function settle<About extends Subject, Value>(
  keeper: Keeper<About, Value>,
  entry: Entry<About, Value>,
): Value | undefined {
  if (!entry.seen) return undefined
  const { view, value: before } = entry.seen
  let value: Value | undefined = before
  for (const told of entry.heard) {
    if (value !== undefined && !view.includes(told.mark)) value = keeper.keeping.follow(value, told, entry.about)
  }
  entry.heard = []
  if (value === undefined) remove(keeper, entry)
  else if (value !== before && isKept(keeper, entry)) keep(keeper, entry, { value, view })
  return value
}

function start<About extends Subject, Value>(
  keeper: Keeper<About, Value>,
  entry: Entry<About, Value>,
  read: ReadResult<Value>,
): Promise<Value | undefined> {
  const finish = (seen: Seen<Value> | undefined): Value | undefined => {
    entry.reading = undefined
    // One that was removed meanwhile was still true when it was read.
    if (!seen || !isKept(keeper, entry)) {
      remove(keeper, entry)
      return seen?.value
    }
    keep(keeper, entry, seen)
    return settle(keeper, entry) ?? seen.value
  }
  entry.heard = []
  entry.work = sharedWork()
  entry.work.onUnwanted(() => {
    // Whoever comes while the reading is being ended has it read anew.
    if (entry.reading) remove(keeper, entry)
  })
  entry.reading = entry.work.run(read).then(finish, (error: unknown) => {
    remove(keeper, entry)
    throw error
  })
  return entry.reading
}

/** Has whoever is here wait for a reading. */
function joined<About, Value, Reading>({ work }: Entry<About, Value>, reading: Reading): Reading {
  work.join()
  return reading
}

async function startInLine<About extends Subject, Value>(
  keeper: Keeper<About, Value>,
  entry: Entry<About, Value>,
  read: ReadResult<Value>,
): Promise<Value | undefined> {
  // Somebody may have had it read while it stood in line.
  if (!isKept(keeper, entry) || entry.seen || entry.reading) return entry.reading ?? settle(keeper, entry)
  const startedAtMs = keeper.nowMs()
  const reading = start(keeper, entry, read)
  // It is read for whoever comes next, so nobody's leaving ends it.
  return forWhoever(() => joined(entry, reading)).finally(() => {
    const endedAtMs = keeper.nowMs()
    keeper.rests.set(entry.about.key, endedAtMs + (endedAtMs - startedAtMs) * REST_FACTOR, 1)
  })
}
