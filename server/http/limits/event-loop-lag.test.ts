import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { monitorEventLoopLag } from './event-loop-lag.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('reports how late the event loop was, latest last', () => {
  let nowMs = 0
  const looks = monitorEventLoopLag(() => nowMs)
  const passes = (ms: number): void => {
    nowMs += ms
    vi.advanceTimersToNextTimer()
  }
  expect(looks.lateMs()).toEqual([])
  for (const ms of [500, 3500, 500, 600]) passes(ms)
  expect(looks.lateMs()).toEqual([3000, 0, 100])
  looks.stop()
  expect(vi.getTimerCount()).toBe(0)
})
