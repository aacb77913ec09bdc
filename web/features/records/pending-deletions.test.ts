import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPendingDeletions } from './pending-deletions.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function started() {
  const done: string[] = []
  const deletions = createPendingDeletions(5000)
  const begin = (...ids: string[]) => deletions.begin({ ids, commit: async () => void done.push(...ids) })
  return { done, deletions, begin }
}

test('records are gone from sight at once and deleted when the undo is over', async () => {
  const { done, deletions, begin } = started()
  begin('a', 'b')
  expect([...deletions.snapshot()]).toEqual(['a', 'b'])
  await vi.advanceTimersByTimeAsync(4999)
  expect(done).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(done).toEqual(['a', 'b'])
  expect(deletions.snapshot().size).toBe(0)
})

test('what is called back is never deleted', async () => {
  const { done, deletions, begin } = started()
  begin('a').undo()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(done).toEqual([])
  expect(deletions.snapshot().size).toBe(0)
})

test('each deletion is called back by itself', async () => {
  const { done, deletions, begin } = started()
  const first = begin('a', 'b')
  begin('b')
  first.undo()
  expect([...deletions.snapshot()]).toEqual(['b'])
  await vi.advanceTimersByTimeAsync(5000)
  expect(done).toEqual(['b'])
})

test('calling back too late changes nothing', async () => {
  const { done, deletions, begin } = started()
  const pending = begin('a')
  await vi.advanceTimersByTimeAsync(5000)
  pending.undo()
  expect(done).toEqual(['a'])
  expect(deletions.snapshot().size).toBe(0)
})
