import { createStore, delMany, entries, setMany } from 'idb-keyval'
import { readStored, removeStored, setStored } from './browser-storage.ts'
import { DRAFTS_DATABASE, DRAFTS_STORE } from './clear-databases.ts'
import { joinActiveTabs } from '#web/data/session/active-tabs.ts'

export type DraftOwner = { readonly userId: string; readonly collection: string; readonly record: string }

export type StoredDraft = Omit<DraftOwner, 'userId'> & { readonly atMs: number }

type StoredEntry = DraftOwner & {
  readonly tab: string
  readonly atMs: number
  readonly text: string
}

/** Write interval in ms, which limits how much typing is lost if a tab crashes. */
const WRITE_INTERVAL_MS = 250

/** Age in ms after which drafts are deleted. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000

/** Maximum number of drafts to read. */
const MAX_DRAFTS = 100

const isStoredEntry = (value: unknown): value is StoredEntry =>
  typeof value === 'object' && value !== null && 'text' in value && 'tab' in value

const nothing = (): void => undefined

type Entry = readonly [key: string, shelved: StoredEntry]

export type DraftStore = {
  readonly all: () => Promise<readonly (readonly [key: string, value: unknown])[]>
  readonly put: (some: readonly Entry[]) => Promise<void>
  readonly drop: (keys: readonly string[]) => Promise<void>
}

function browserStore(): DraftStore {
  const store = createStore(DRAFTS_DATABASE, DRAFTS_STORE)
  return {
    all: () => entries<string, unknown>(store),
    put: (some) => setMany(some.map(copyOf), store),
    drop: (keys) => delMany([...keys], store),
  }
}

/** Time in ms at which this tab deleted a draft, kept until the database has deleted it: a reload can come first. */
const deletedAtKey = (key: string) => `draft-deleted.${key}`

const isDeleted = ([key, { atMs }]: Entry) =>
  atMs <= Number(readStored(deletedAtKey(key), 'session') ?? Number.NEGATIVE_INFINITY)

const readAll = (store: DraftStore): Promise<readonly Entry[]> =>
  store.all().then(
    (all) => {
      const stored = all.flatMap(([key, value]): readonly Entry[] => (isStoredEntry(value) ? [[key, value]] : []))
      const deleted = stored.filter(isDeleted)
      if (deleted.length > 0) void store.drop(keysOf(deleted)).then(nothing, nothing)
      return stored.filter((each) => !deleted.includes(each))
    },
    () => [],
  )

function newestOf(all: readonly Entry[], userId: string): readonly StoredDraft[] {
  const mine = all.map(([, shelved]) => shelved).filter((each) => each.userId === userId)
  const sorted = mine.toSorted((one, other) => other.atMs - one.atMs)
  return [...Map.groupBy(sorted, ({ record }) => record).values()].flatMap(([newest]) => newest ?? [])
}

const copyOf = ([key, shelved]: Entry): [string, StoredEntry] => [key, shelved]

const keysOf = (some: readonly Entry[]): string[] => some.map(([key]) => key)

/**
 * Drafts stored in this browser, available only to their author; they survive a crash of the tab or browser. Each tab
 * has its own draft of a record, so that tabs don't overwrite each other's drafts.
 */
export function openDraftStorage(store = browserStore()) {
  const tab = crypto.getRandomValues(new Uint32Array(2)).join('-')
  const tabs = joinActiveTabs(DRAFTS_DATABASE, tab)
  const waiting = new Map<string, ReturnType<typeof setTimeout>>()
  const there = new Set<string>()
  const keyOf = ({ userId, record }: DraftOwner): string => `${userId} ${record} ${tab}`

  function stopWaiting(key: string): void {
    clearTimeout(waiting.get(key))
    waiting.delete(key)
  }

  return {
    /** Stores a draft. `text` is called after a delay, or not at all if the draft is discarded first. */
    keep: (owner: DraftOwner, textNow: () => string | undefined): void => {
      const key = keyOf(owner)
      if (waiting.has(key)) return
      const write = () => {
        waiting.delete(key)
        const text = textNow()
        if (text === undefined) return
        there.add(key)
        const shelved: StoredEntry = { ...owner, tab, atMs: Date.now(), text }
        void store.put([[key, shelved]]).then(nothing, nothing)
      }
      waiting.set(key, setTimeout(write, WRITE_INTERVAL_MS))
    },
    forget: (owner: DraftOwner): void => {
      const key = keyOf(owner)
      stopWaiting(key)
      if (!there.delete(key)) return
      setStored(deletedAtKey(key), String(Date.now()), 'session')
      void store.drop([key]).then(() => removeStored(deletedAtKey(key), 'session'), nothing)
    },
    list: async (userId: string): Promise<readonly StoredDraft[]> => newestOf(await readAll(store), userId),
    /** Discards the drafts of a record from all tabs; returns a function that restores them. */
    discard: async ({ userId, record }: DraftOwner): Promise<() => Promise<void>> => {
      const thrown = (await readAll(store)).filter(([, each]) => each.userId === userId && each.record === record)
      const own = keysOf(thrown).filter((key) => there.delete(key))
      for (const key of own) stopWaiting(key)
      await store.drop(keysOf(thrown))
      return async () => {
        for (const key of own) there.add(key)
        await store.put(thrown)
      }
    },
    /**
     * Passes the newest draft that a closed tab left for a record to `isTaken`; if that returns true, deletes the
     * record's drafts.
     */
    take: async (
      { userId, record }: Pick<DraftOwner, 'userId' | 'record'>,
      isTaken: (text: string) => boolean,
    ): Promise<void> => {
      const isAlive = await tabs.others()
      const found = await readAll(store)
      const sorted = found.map(([key, value]) => ({ key, ...value })).toSorted((one, other) => other.atMs - one.atMs)
      const left = sorted.filter((each) => each.userId === userId && !isAlive(each.tab))
      const mine = left.filter((each) => each.record === record)
      const isOver = ({ atMs }: StoredEntry) => Date.now() - atMs > MAX_AGE_MS
      const over = sorted.filter((each, at) => each.userId !== userId || at >= MAX_DRAFTS || isOver(each))
      const [newest] = mine.filter((each) => !isOver(each))
      const taken = newest && isTaken(newest.text) ? mine : []
      void store.drop([...taken, ...over].map(({ key }) => key)).then(nothing, nothing)
    },
  }
}
