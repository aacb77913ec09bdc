import { expect, test } from 'vitest'
import type { JobBody } from '#api/bulk.ts'
import { describeRunning, endText, progressOf } from './user-jobs.ts'

const JOB: JobBody = {
  id: 'j',
  does: 'update',
  collection: 'c',
  field: null,
  fields: [],
  to: null,
  state: 'done',
  total: 12_403,
  done: 12_400,
  refused: [{ message: 'What is sent needs a code.', count: 3, records: ['a'] }],
  failure: null,
  lost: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
}

test('a job result reports the numbers of updated and rejected records, and why records were rejected', () => {
  expect(endText({ job: JOB, collection: undefined })).toEqual({
    text: 'Updated values in 12,400 records',
    detail: '3 failed: What is sent needs a code.',
  })
})

test('a canceled job reports its progress and the reason', () => {
  const job: JobBody = { ...JOB, does: 'delete', state: 'failed', refused: [], failure: 'You may not do this.' }
  expect(endText({ job, collection: undefined })).toEqual({
    text: 'Stopped. Deleted 12,400 records so far',
    detail: 'You may not do this.',
  })
})

test('rejected records count toward the progress of a job', () => {
  expect(progressOf({ ...JOB, state: 'running' })).toEqual({ text: '12,403 of 12,403 records', share: 1 })
  expect(progressOf({ ...JOB, total: null })).toEqual({ text: '12,400 records so far' })
})

test('a job for a deleted collection is described', () => {
  expect(describeRunning({ job: { ...JOB, does: 'transition' }, collection: undefined })).toBe(
    'Moving records in a collection to another status',
  )
})
