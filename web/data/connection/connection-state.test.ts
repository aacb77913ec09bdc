import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createConnectionState } from './connection-state.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function aServer() {
  const open: ((isBack: boolean) => void)[] = []
  const ping = () => new Promise<boolean>((resolve) => open.push(resolve))
  const answer = async (isBack: boolean) => {
    for (const resolve of open.splice(0)) resolve(isBack)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { ping, answer, requested: () => open.length }
}

test('a retry during a pending ping reuses that ping', async () => {
  const { ping, answer, requested } = aServer()
  const state = createConnectionState({ ping })
  state.lost()
  state.tryNow()
  state.tryNow()
  expect(requested()).toBe(1)
  await answer(false)
  expect(vi.getTimerCount()).toBe(1)
})

test('losing the connection again during a ping starts only one retry timer', async () => {
  const { ping, answer } = aServer()
  const state = createConnectionState({ ping })
  state.lost()
  state.tryNow()
  state.reached()
  state.lost()
  await answer(false)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(60_000)
  await answer(true)
  expect(state.reachable.get()).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})
