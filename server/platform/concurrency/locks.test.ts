import { expect, test } from 'vitest'
import { createKeyedMutex } from './locks.ts'

test('operations with the same key run one at a time, in order, even after an error', async () => {
  const turns = createKeyedMutex()
  const done: string[] = []
  const say = (word: string) => async () => {
    done.push(`${word} begins`)
    await Promise.resolve()
    done.push(`${word} ends`)
    if (word === 'b') throw new Error('b fails')
  }
  await Promise.allSettled(['a', 'b', 'c'].map((word) => turns.take('x', say(word))))
  expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test("operations with different keys don't wait for each other", async () => {
  const turns = createKeyedMutex()
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = turns.take('x', () => promise)
  expect(await turns.take('y', async () => 'free')).toBe('free')
  resolve()
  await first
})

test('the lock holder can detect that others are waiting', async () => {
  const turns = createKeyedMutex()
  const seen: boolean[] = []
  let second: Promise<void> | undefined
  await turns.take('x', async (turn) => {
    seen.push(turn.isWanted())
    second = turns.take('x', async (own) => void seen.push(own.isWanted()))
    seen.push(turn.isWanted())
  })
  await second
  expect(seen).toEqual([false, true, false])
})
