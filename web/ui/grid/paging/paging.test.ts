import { expect, test } from 'vitest'
import { hasNextPage, lastPage, rowsOfPage, typedPage, withPageSize } from '#web/ui/grid/grid-props.ts'

test('selecting "all" on a later page shows the list from the beginning', () => {
  expect(withPageSize('all')).toEqual({ page: 1, pageSize: 'all' })
  expect(lastPage(withPageSize('all'), { is: 'exact', count: 3201 })).toBe(1)
})

test('the last page ends with the last row', () => {
  expect(lastPage({ page: 1, pageSize: 10 }, { is: 'exact', count: 3201 })).toBe(321)
  expect(lastPage({ page: 1, pageSize: 10 }, { is: 'exact', count: 3200 })).toBe(320)
  expect(lastPage({ page: 1, pageSize: 10 }, { is: 'exact', count: 0 })).toBe(1)
})

test('an empty table shows rows 0 to 0', () => {
  expect(rowsOfPage({ page: 1, pageSize: 10 }, 0)).toEqual({ first: 0, last: 0 })
  expect(rowsOfPage({ page: 2, pageSize: 10 }, 10)).toEqual({ first: 11, last: 20 })
})

test('an unknown total does not disable the next page', () => {
  expect(hasNextPage({ page: 3, pageSize: 10 }, { is: 'unknown' }, 10)).toBe(true)
  expect(hasNextPage({ page: 3, pageSize: 10 }, { is: 'unknown' }, 4)).toBe(false)
  expect(hasNextPage({ page: 3, pageSize: 10 }, { is: 'atLeast', count: 10_000 }, 10)).toBe(true)
  expect(lastPage({ page: 3, pageSize: 10 }, { is: 'atLeast', count: 10_000 })).toBeUndefined()
})

test('an entered page is limited to existing pages, and an invalid one is ignored', () => {
  expect(typedPage('999', 321)).toBe(321)
  expect(typedPage('0', 321)).toBe(1)
  expect(typedPage('12', undefined)).toBe(12)
  expect(typedPage('', 321)).toBeUndefined()
  expect(typedPage('next', 321)).toBeUndefined()
})
