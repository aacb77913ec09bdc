import { expect, test } from 'vitest'
import { chunkRows } from './id-lists.ts'

test.each([0, 1, 5, 255, 256, 700])('%i rows are divided into chunks of few different lengths', (count) => {
  const rows = Array.from({ length: count }, (_, at) => at)
  const chunks = chunkRows(rows)
  expect(chunks.flat()).toEqual(rows)
  for (const { length } of chunks) expect([1, 2, 4, 8, 16, 32, 64, 128, 256]).toContain(length)
  expect(chunks.length).toBeLessThan(11)
})
