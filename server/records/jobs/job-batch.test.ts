import { expect, test } from 'vitest'
import { INITIAL_BATCH_SIZE, nextBatchSize } from './job-batch.ts'

test('the batch size doubles after fast batches, up to a limit', () => {
  expect(nextBatchSize({ records: 50, waits: 3 }, 50, 1)).toEqual({ records: 100, waits: 0 })
  expect(nextBatchSize({ records: 400, waits: 0 }, 400, 1).records).toBe(500)
})

test('the batch size shrinks after a slow batch, but not below one record', () => {
  expect(nextBatchSize({ records: 500, waits: 0 }, 500, 400).records).toBe(50)
  expect(nextBatchSize({ records: 50, waits: 0 }, 50, 5000).records).toBe(25)
  expect(nextBatchSize(INITIAL_BATCH_SIZE, 0, 0).records).toBe(40)
})
