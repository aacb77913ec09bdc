import { expect, test } from 'vitest'
import { queryOf, NO_AUDIT_FILTER, filterIn, groupOf, printFilter } from './audit-query.ts'

test('omits empty filters', () => {
  expect(queryOf(NO_AUDIT_FILTER)).toEqual({})
  expect(queryOf({ ...NO_AUDIT_FILTER, text: '  ', person: 'u1' })).toEqual({ person: 'u1' })
})

test("uses whole days in the reader's time zone, including the last", () => {
  const { from = '', until = '' } = queryOf({ ...NO_AUDIT_FILTER, from: '2026-02-27', until: '2026-02-28' })
  expect(new Date(from)).toEqual(new Date(2026, 1, 27))
  expect(new Date(until)).toEqual(new Date(2026, 2, 1))
})

test('ignores an unknown group', () => {
  expect([groupOf('export'), groupOf('moons'), groupOf(null)]).toEqual(['export', '', ''])
})

test('round-trips through the URL and ignores invalid parts', () => {
  const filter = { ...NO_AUDIT_FILTER, person: 'u1', group: 'export', from: '2026-02-27' } as const
  expect(printFilter(filter)).toEqual({ person: 'u1', group: 'export', from: '2026-02-27' })
  expect(filterIn(printFilter(filter))).toEqual(filter)
  expect(filterIn({ from: 'yesterday', until: '2026-99-99', group: 'moons', colour: 'red' })).toEqual(NO_AUDIT_FILTER)
})
