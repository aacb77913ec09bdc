import { expect, test } from 'vitest'
import { yieldingBetween } from './async-helpers.ts'

test('iteration over many items yields to the event loop repeatedly and keeps their order', async () => {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 0)
  const seen: number[] = []
  for await (const item of yieldingBetween(Array.from({ length: 5000 }, (_, at) => at))) {
    seen.push(item)
    const until = performance.now() + 0.1
    while (performance.now() < until);
  }
  clearInterval(timer)
  expect(seen).toEqual(seen.toSorted((one, other) => one - other))
  expect(seen).toHaveLength(5000)
  expect(turns).toBeGreaterThan(10)
})
