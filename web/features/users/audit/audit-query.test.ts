import { expect, test } from 'vitest'
import { queryOf, NO_AUDIT_FILTER, filterIn, groupOf, printFilter } from './audit-query.ts'

test('empty audit filters are omitted from the query', () => {
  expect(queryOf(NO_AUDIT_FILTER)).toEqual({})
  expect(queryOf({ ...NO_AUDIT_FILTER, text: '  ', person: 'u1' })).toEqual({ person: 'u1' })
})

test("audit date filters cover whole days in the reader's time zone, including the last day", () => {
  const { from = '', until = '' } = queryOf({ ...NO_AUDIT_FILTER, from: '2026-02-27', until: '2026-02-28' })
  expect(new Date(from)).toEqual(new Date(2026, 1, 27))
  expect(new Date(until)).toEqual(new Date(2026, 2, 1))
})

test('an unknown audit group is ignored', () => {
  expect([groupOf('export'), groupOf('moons'), groupOf(null)]).toEqual(['export', '', ''])
})

test('audit filters round-trip through the URL, ignoring invalid parts', () => {
  const filter = { ...NO_AUDIT_FILTER, person: 'u1', group: 'export', from: '2026-02-27' } as const
  expect(printFilter(filter)).toEqual({ person: 'u1', group: 'export', from: '2026-02-27' })
  expect(filterIn(printFilter(filter))).toEqual(filter)
  expect(filterIn({ from: 'yesterday', until: '2026-99-99', group: 'moons', colour: 'red' })).toEqual(NO_AUDIT_FILTER)
})
