import { INDEXED_FROM_RECORDS, SLOW_FROM_MS, judgeWish } from '#domain/query/index-upkeep.ts'
import { type IndexSpec, wantedGroupIndex, wantedIndex } from '#domain/query/wanted-index.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { forWhoever } from '#server/database/while-wanted.ts'
import type { Asked, IsIndexed, NoteAsked } from '#server/query/asked.ts'
import { buildIndex } from './build-index.ts'
import type { IndexNeeds } from './index-needs.ts'
import { type KnownIndexes, knownIndexes } from './known-indexes.ts'
import { hasRows, loadIndexes } from './store.ts'
import { refreshTables } from './refresh-tables.ts'
import { tidyIndexes } from './tidy-indexes.ts'

/** How often indexes are tidied, tables looked over and uses written down, in ms. */
const TIDY_EVERY_MS = 2 * 60 * 1000

/** A wish that came to nothing is not tried again for so long, in ms. */
const FORGOTTEN_AFTER_MS = 10 * 60 * 1000

/** Makes and removes indexes beside the requests. */
export type IndexKeeper = {
  readonly note: NoteAsked
  readonly isIndexed: IsIndexed
  readonly start: () => Promise<void>
  /** Resolves when nothing is being made any more. */
  readonly settled: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Learns from queries which indexes are wanted: one that was slow in a large collection and that no index serves gets
 * one, made in the background, one at a time.
 */
export function indexKeeper(needs: IndexNeeds): IndexKeeper {
  const known = knownIndexes(needs)
  const wishes = wishList(needs)
  const upkeep = backgroundUpkeep(needs, known, wishes)
  let timer: NodeJS.Timeout | undefined

  function note(asked: Asked): void {
    const { query, grouping, tookMs } = asked
    const collection = query.collection.id
    if (!upkeep.isRunning() || (tookMs < SLOW_FROM_MS && !known.areIn(collection))) return
    const spec = grouping ? wantedGroupIndex(query, grouping) : wantedIndex(query)
    if (spec === null) return
    const serving = known.serving(collection, spec)
    if (serving) known.noteUse(serving)
    else if (tookMs >= SLOW_FROM_MS && wishes.add({ collection, spec })) upkeep.work()
  }

  return {
    note,
    isIndexed: (collection, want) => known.serving(collection, want) !== undefined,
    settled: upkeep.settled,
    start: async () => {
      await known.learn()
      upkeep.start()
      timer = setInterval(upkeep.tidySoon, TIDY_EVERY_MS).unref()
    },
    stop: async () => {
      clearInterval(timer)
      await upkeep.stop()
      await known.writeUses()
    },
  }
}

/** Grants wishes and tidies, one after the other. */
function backgroundUpkeep(needs: IndexNeeds, known: KnownIndexes, wishes: WishList) {
  const stopping = new AbortController()
  const { signal } = stopping
  let isRunning = false
  let working: Promise<void> | undefined
  let isTidyDue = false

  function work(): void {
    working ??= forWhoever(workThrough).finally(() => {
      working = undefined
    })
  }

  async function workThrough(): Promise<void> {
    while (isRunning && (isTidyDue || wishes.hasAny())) {
      const step = isTidyDue ? tidy(needs, known, signal) : wishes.fulfil((wish) => fulfil(needs, known, wish, signal))
      isTidyDue = false
      await step.then(undefined, (error: unknown) => {
        if (isRunning) needs.log.warn({ err: error }, 'the indexes could not be looked after')
      })
    }
  }

  function tidySoon(): void {
    isTidyDue = true
    work()
  }

  return {
    isRunning: () => isRunning,
    work,
    tidySoon,
    start: () => {
      isRunning = true
      tidySoon()
    },
    settled: async () => {
      while (working) await working
    },
    stop: async () => {
      isRunning = false
      stopping.abort()
      await working
    },
  }
}

async function tidy(needs: IndexNeeds, known: KnownIndexes, signal: AbortSignal): Promise<void> {
  await known.writeUses()
  await needs.database.maintain({ name: 'indexes', signal, work: (run) => tidyIndexes(needs, run) })
  await known.learn()
  await needs.database.maintain({ name: 'indexes', signal, work: (run) => refreshTables(needs, run) })
}

type WishList = ReturnType<typeof wishList>

type Wish = { readonly collection: CollectionId; readonly spec: IndexSpec }

/** Wishes in the order they came, each once; one that came to nothing is not taken again for a while. */
function wishList({ clock, log }: Pick<IndexNeeds, 'clock' | 'log'>) {
  const wishes = new Map<string, Wish>()
  const inVainAtMs = new Map<string, number>()

  return {
    hasAny: () => wishes.size > 0,
    /** Whether the wish is taken. */
    add: (wish: Wish): boolean => {
      const key = JSON.stringify(wish)
      const triedAtMs = inVainAtMs.get(key) ?? Number.NEGATIVE_INFINITY
      if (clock().getTime() - triedAtMs < FORGOTTEN_AFTER_MS) return false
      inVainAtMs.delete(key)
      wishes.set(key, wish)
      return true
    },
    /** Takes the first wish and tries it. */
    fulfil: async (tryIt: (wish: Wish) => Promise<boolean>): Promise<void> => {
      const [first] = wishes
      if (!first) return
      const [key, wish] = first
      const isGranted = await tryIt(wish).then(undefined, (error: unknown) => {
        log.warn({ err: error, collection: wish.collection }, 'an index was not made')
        return false
      })
      wishes.delete(key)
      if (!isGranted) inVainAtMs.set(key, clock().getTime())
    },
  }
}

/** Whether a wish is granted in the end, by whomever. */
async function fulfil(
  needs: IndexNeeds,
  known: KnownIndexes,
  { collection: id, spec }: Wish,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, definitions, clock } = needs
  const collection = (await definitions.current()).byId.get(id)
  if (!collection || !(await hasRows(database.read, id, INDEXED_FROM_RECORDS))) return false
  const verdict = judgeWish(spec, await loadIndexes(database.read, id), clock())
  if (verdict.type === 'full') return false
  if (verdict.type === 'build') {
    const order = { collection, spec, insteadOf: verdict.insteadOf }
    await database.maintain({ name: 'indexes', signal, work: (run) => buildIndex(needs, order, run) })
  }
  await known.learn()
  return known.serving(id, spec) !== undefined
}
