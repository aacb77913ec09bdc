import { expect, test } from 'vitest'
import { instantOfLocal, localOfInstant } from './format-value.ts'

test('an instant comes back from the field as it went in, to the second', () => {
  const instants = ['2026-03-01T14:30:00.000Z', '1999-12-31T23:59:59.000Z', '2026-07-01T00:00:00.000Z']
  expect(instants.map((instant) => instantOfLocal(localOfInstant(instant)))).toEqual(instants)
})

test('an unfinished entry is no instant', () => {
  expect(instantOfLocal('')).toBeNull()
  expect(instantOfLocal('2026-13')).toBeNull()
})
