import { expect, test } from 'vitest'
import { queryOf, NO_AUDIT_FILTER, filterIn, groupOf, printFilter } from './audit-query.ts'

test('what is not looked for is not asked', () => {
  expect(queryOf(NO_AUDIT_FILTER)).toEqual({})
  expect(queryOf({ ...NO_AUDIT_FILTER, text: '  ', person: 'u1' })).toEqual({ person: 'u1' })
})

test('days begin and end where the reader lives, the last one included', () => {
  const { from = '', until = '' } = queryOf({ ...NO_AUDIT_FILTER, from: '2026-02-27', until: '2026-02-28' })
  expect(new Date(from)).toEqual(new Date(2026, 1, 27))
  expect(new Date(until)).toEqual(new Date(2026, 2, 1))
})

test('a group that is none looks for everything', () => {
  expect([groupOf('export'), groupOf('moons'), groupOf(null)]).toEqual(['export', '', ''])
})

test('an address says the same again, and what it cannot mean is not looked for', () => {
  const filter = { ...NO_AUDIT_FILTER, person: 'u1', group: 'export', from: '2026-02-27' } as const
  expect(printFilter(filter)).toEqual({ person: 'u1', group: 'export', from: '2026-02-27' })
  expect(filterIn(printFilter(filter))).toEqual(filter)
  expect(filterIn({ from: 'yesterday', until: '2026-99-99', group: 'moons', colour: 'red' })).toEqual(NO_AUDIT_FILTER)
})
