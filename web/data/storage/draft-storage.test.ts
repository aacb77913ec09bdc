import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type DraftStore, openDraftStorage } from './draft-storage.ts'

const owner = { userId: 'u', collection: 'c', record: 'r' }
const NOW_MS = Date.parse('2026-06-01T12:00:00Z')
const DAY_MS = 24 * 60 * 60 * 1000

function browser(...kept: readonly { readonly text: string; readonly atMs: number; readonly userId?: string }[]) {
  const held = new Map<string, unknown>(
    kept.map((each, at) => [`left ${at}`, { ...owner, tab: `gone-${at}`, ...each }] as const),
  )
  const store: DraftStore = {
    all: async () => [...held],
    put: async (some) => {
      for (const [key, value] of some) held.set(key, value)
    },
    drop: async (keys) => {
      for (const key of keys) held.delete(key)
    },
  }
  return { shelf: openDraftStorage(store), keys: () => [...held.keys()] }
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function taken(shelf: ReturnType<typeof openDraftStorage>, take: boolean): Promise<readonly string[]> {
  const offered: string[] = []
  const taking = shelf.take(owner, (text) => {
    offered.push(text)
    return take
  })
  await vi.advanceTimersByTimeAsync(1000)
  await taking
  return offered
}

test('the newest draft of a closed tab is offered, and removed when it is continued', async () => {
  const { shelf, keys } = browser({ text: 'older', atMs: NOW_MS - 2000 }, { text: 'newer', atMs: NOW_MS - 1000 })
  expect(await taken(shelf, true)).toEqual(['newer'])
  expect(keys()).toEqual([])
})

test('a draft that is not continued is offered again next time', async () => {
  const { shelf, keys } = browser({ text: 'left', atMs: NOW_MS - 1000 })
  expect(await taken(shelf, false)).toEqual(['left'])
  expect(keys()).toEqual(['left 0'])
  expect(await taken(shelf, true)).toEqual(['left'])
  expect(keys()).toEqual([])
})

test('expired drafts and drafts of other users are deleted and not offered', async () => {
  const { shelf, keys } = browser(
    { text: 'old', atMs: NOW_MS - 31 * DAY_MS },
    { text: 'theirs', atMs: NOW_MS, userId: 'another' },
  )
  expect(await taken(shelf, true)).toEqual([])
  expect(keys()).toEqual([])
})

test('a draft deleted just before a reload is not offered, even if the browser did not delete it in time', async () => {
  const session = new Map<string, string>()
  vi.stubGlobal('window', {
    sessionStorage: {
      getItem: (key: string) => session.get(key) ?? null,
      setItem: (key: string, value: string) => session.set(key, value),
      removeItem: (key: string) => session.delete(key),
    },
  })
  const held = new Map<string, unknown>()
  const store: DraftStore = {
    all: async () => [...held],
    put: async (some) => {
      for (const [key, value] of some) held.set(key, value)
    },
    drop: async () => new Promise(() => {}),
  }
  const before = openDraftStorage(store)
  before.keep(owner, () => 'given up')
  await vi.advanceTimersByTimeAsync(1000)
  before.forget(owner)
  expect(held.size).toBe(1)

  const dropped: string[] = []
  const after = openDraftStorage({
    ...store,
    drop: async (keys) => {
      dropped.push(...keys)
    },
  })
  expect(await taken(after, true)).toEqual([])
  expect(dropped).toEqual([...held.keys()])
})
