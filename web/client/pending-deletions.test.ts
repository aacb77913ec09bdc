import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPendingDeletions } from './pending-deletions.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Deletions whose toasts close when the test says so. */
function started() {
  const done: string[] = []
  const toasts: { readonly undo: () => void; readonly close: () => void }[] = []
  const deletions = createPendingDeletions((_said, undo, close) => void toasts.push({ undo, close }))
  const begin = (...ids: string[]) => {
    deletions.begin({
      ids,
      said: 'Deleted',
      commit: async ({ keepalive }) => void done.push(...ids, ...(keepalive ? ['on leaving'] : [])),
    })
    const toast = toasts.at(-1)
    if (!toast) throw new Error('no way back was offered')
    return toast
  }
  return { done, deletions, begin }
}

const settled = () => vi.advanceTimersByTimeAsync(0)

test('records are gone from sight at once and deleted when the undo is offered no more', async () => {
  const { done, deletions, begin } = started()
  const { close } = begin('a', 'b')
  expect([...deletions.snapshot()]).toEqual(['a', 'b'])
  expect(done).toEqual([])
  close()
  await settled()
  expect(done).toEqual(['a', 'b'])
  expect(deletions.snapshot().size).toBe(0)
})

test('nothing is deleted while the undo is offered, however long somebody is on it', async () => {
  const { done, begin } = started()
  begin('a')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(done).toEqual([])
})

test('what is called back is never deleted', async () => {
  const { done, deletions, begin } = started()
  const { undo, close } = begin('a')
  undo()
  close()
  await settled()
  expect(done).toEqual([])
  expect(deletions.snapshot().size).toBe(0)
})

test('each deletion is called back by itself', async () => {
  const { done, deletions, begin } = started()
  const first = begin('a', 'b')
  const second = begin('b')
  first.undo()
  expect([...deletions.snapshot()]).toEqual(['b'])
  second.close()
  await settled()
  expect(done).toEqual(['b'])
})

test('calling back too late changes nothing', async () => {
  const { done, deletions, begin } = started()
  const { undo, close } = begin('a')
  close()
  undo()
  await settled()
  expect(done).toEqual(['a'])
  expect(deletions.snapshot().size).toBe(0)
})

test('a page that is left deletes what had its time, and nothing of what was just begun', async () => {
  const { done, deletions, begin } = started()
  const { close } = begin('a')
  await vi.advanceTimersByTimeAsync(5000)
  begin('b')
  deletions.leave()
  close()
  await settled()
  expect(done).toEqual(['a', 'on leaving'])
})
