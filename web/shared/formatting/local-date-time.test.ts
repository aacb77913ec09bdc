import { expect, test } from 'vitest'
import { instantOfLocal, localOfInstant } from './format-value.ts'

test('a date-time round-trips with second precision', () => {
  const instants = ['2026-03-01T14:30:00.000Z', '1999-12-31T23:59:59.000Z', '2026-07-01T00:00:00.000Z']
  expect(instants.map((instant) => instantOfLocal(localOfInstant(instant)))).toEqual(instants)
})

test('incomplete input is not a date-time', () => {
  expect(instantOfLocal('')).toBeNull()
  expect(instantOfLocal('2026-13')).toBeNull()
})
