import { expect, test } from 'vitest'
import { countSweepDay, isLargeRemoval, isOwnMark, quarantineEnd, type SweepDays } from './quarantine.ts'

const at = (day: string): Date => new Date(`${day}T10:00:00.000Z`)

const sweepOn = (...days: readonly string[]): SweepDays | undefined =>
  days.reduce<SweepDays | undefined>((counted, day) => countSweepDay(counted, at(day), `mark of ${day}`), undefined)

test('counts each day with at least one cleanup once', () => {
  expect(sweepOn('2026-03-01', '2026-03-01', '2026-03-02', '2026-03-05')).toEqual({
    count: 3,
    last: '2026-03-05',
    mark: 'mark of 2026-03-05',
    markBefore: 'mark of 2026-03-02',
  })
})

test('counts a clock jump as one day, and counts no days while the clock is set back', () => {
  expect(sweepOn('2026-03-01', '2026-04-10', '2026-03-02')?.count).toBe(2)
  expect(sweepOn('2026-03-01', '2026-04-10', '2026-03-02', '2026-03-03')?.count).toBe(3)
})

test('quarantine ends after at least 30 calendar days, 30 of them with cleanups', () => {
  expect(quarantineEnd(at('2026-03-31'), { count: 31 })).toEqual({
    since: '2026-03-01T10:00:00.000Z',
    day: 1,
  })
})

test.each([
  [36, 36, false],
  [100, 100, false],
  [101, 101, true],
  [101, 1010, false],
  [101, 1009, true],
])('classifies %i of %i files as a large removal: %s', (due, known, isLarge) => {
  expect(isLargeRemoval(due, known)).toBe(isLarge)
})

test('accepts only the storage markers of the last two cleanups', () => {
  const days = sweepOn('2026-03-01', '2026-03-02', '2026-03-03')
  const known = ['mark of 2026-03-03', 'mark of 2026-03-02', 'mark of 2026-03-01', 'another', undefined]
  expect(known.map((mark) => isOwnMark(days, mark))).toEqual([true, true, false, false, false])
  expect([isOwnMark(undefined, undefined), isOwnMark(undefined, 'another')]).toEqual([true, false])
})
