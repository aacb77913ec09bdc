import { describe, expect, test } from 'vitest'
import { createBatchQueue } from './batch-queue.ts'

function heldLine(tookMs: number) {
  const handled: number[][] = []
  const held: ((fault?: Error) => void)[] = []
  const line = createBatchQueue<number, number>({
    prepare: (raw) => Promise.resolve(raw * 10),
    handle: (items) => {
      handled.push([...items])
      const { promise, resolve, reject } = Promise.withResolvers<{ tookMs: number }>()
      held.push((fault) => (fault ? reject(fault) : resolve({ tookMs })))
      return promise
    },
    max: 3,
    longestMs: 30,
  })
  return { line, handled, end: (fault?: Error) => held.shift()?.(fault) }
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

describe('a batch queue', () => {
  test('processes items in order, batching queued ones up to the batch size', async () => {
    const { line, handled, end } = heldLine(5)
    const taken = Promise.all([1, 2, 3, 4, 5].map(line.take))
    await soon()
    expect(handled).toEqual([[10]])
    end()
    await soon()
    expect(handled).toEqual([[10], [20, 30, 40]])
    end()
    await soon()
    end()
    await taken
    expect(handled).toEqual([[10], [20, 30, 40], [50]])
  })

  test('processes slow items one by one', async () => {
    const { line, handled, end } = heldLine(40)
    const taken = Promise.all([1, 2, 3].map(line.take))
    for (let at = 0; at < 3; at += 1) {
      await soon()
      end()
    }
    await taken
    expect(handled).toEqual([[10], [20], [30]])
  })

  test('stops after an error and rejects the queued items', async () => {
    const { line, handled, end } = heldLine(5)
    const taken = [1, 2].map((item) => line.take(item).catch((error: unknown) => error))
    await soon()
    const fault = new Error('The disk is full.')
    end(fault)
    expect(await Promise.all([...taken, line.take(3).catch((error: unknown) => error)])).toEqual([fault, fault, fault])
    expect(handled).toEqual([[10]])
  })
})
