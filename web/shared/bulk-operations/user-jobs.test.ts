import { expect, test } from 'vitest'
import type { JobBody } from '#api/bulk.ts'
import { translateJob } from './user-jobs.ts'

const JOB: JobBody = {
  id: '01m82psm935hmavfvcbe0pspdh',
  does: 'update',
  collection: '01m82psm935hmavfvcbe0pspdj',
  field: null,
  fields: [],
  to: null,
  state: 'failed',
  total: 3,
  done: 1,
  refused: [{ message: 'Must be text.', count: 2, records: [] }],
  failure: 'The workspace is full.',
  lost: null,
  createdAt: '2026-11-22T10:00:00Z',
  endedAt: '2026-11-22T10:00:01Z',
}

test('the result and rejection reasons of a job are translated', () => {
  const said = translateJob((text) => `«${text}»`)(JOB)
  expect(said.failure).toBe('«The workspace is full.»')
  expect(said.refused.map(({ message }) => message)).toEqual(['«Must be text.»'])
  expect(translateJob((text) => text)({ ...JOB, failure: null }).failure).toBeNull()
})
