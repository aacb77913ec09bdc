import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createConnectionState } from './connection-state.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A server whose answers are given by hand. */
function aServer() {
  const open: ((isBack: boolean) => void)[] = []
  const ping = () => new Promise<boolean>((resolve) => open.push(resolve))
  const answer = async (isBack: boolean) => {
    for (const resolve of open.splice(0)) resolve(isBack)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { ping, answer, asked: () => open.length }
}

test('whoever asks to try now while the server is being asked asks it once', async () => {
  const { ping, answer, asked } = aServer()
  const state = createConnectionState({ ping })
  state.lost()
  state.tryNow()
  state.tryNow()
  expect(asked()).toBe(1)
  await answer(false)
  expect(vi.getTimerCount()).toBe(1)
})

test('a server that was lost again while it was asked is asked again in one line', async () => {
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
  expect(state.isReachable()).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})
