import { expect, test } from 'vitest'
import { DEFAULT_LIST_QUERY } from './list-query-params.ts'
import { queryAfterChange, steps } from './use-list-query.ts'

test('continuous typing creates one history entry, and any other change starts a new one', () => {
  const goesOn = steps()
  expect(goesOn({ search: 'bos' }, 0)).toBe(false)
  expect(goesOn({ search: 'boston' }, 900)).toBe(true)
  expect(goesOn({ search: 'boston m' }, 3000)).toBe(true)
  expect(goesOn({ filter: 'a = 1' }, 3100)).toBe(false)
  expect(goesOn({ search: 'boston' }, 3200)).toBe(false)
  expect(goesOn({ search: '' }, 9000)).toBe(false)
  expect(goesOn({ sort: [] }, 9100)).toBe(false)
  expect(goesOn({ search: 'x' }, 9200)).toBe(false)
  expect(goesOn({ search: '', filter: '' }, 9300)).toBe(false)
})

test('a change can be computed from the last requested query', () => {
  const first = queryAfterChange({ group: 'owner,status', page: '3' }, { group: 'status' }, DEFAULT_LIST_QUERY)
  expect(first.search).toEqual({ group: 'status' })
  const turned = queryAfterChange(
    first.search,
    ({ group }) => ({ group, sort: [{ field: 'status', direction: 'desc' }] }),
    DEFAULT_LIST_QUERY,
  )
  expect(turned.search).toEqual({ group: 'status', sort: '-status' })
})

test('the URL omits values that match the view and includes those that differ', () => {
  const base = { ...DEFAULT_LIST_QUERY, view: 'v', filter: 'a = 1' }
  expect(queryAfterChange({ view: 'v' }, { search: 'x' }, base).search).toEqual({ view: 'v', search: 'x' })
  expect(queryAfterChange({ view: 'v', search: 'x' }, { filter: '', search: '' }, base).search).toEqual({
    view: 'v',
    filter: '',
  })
})

test('the open record remains open, and its position is kept only if the sort order is unchanged', () => {
  const parts = { open: 'r', at: '4' }
  expect(queryAfterChange(parts, { page: 2 }, DEFAULT_LIST_QUERY).search).toEqual({ open: 'r', at: '4', page: '2' })
  expect(queryAfterChange(parts, { search: 'x' }, DEFAULT_LIST_QUERY).search).toEqual({ open: 'r', search: 'x' })
  expect(queryAfterChange({ ...parts, page: '2' }, { day: '2026-12-24' }, DEFAULT_LIST_QUERY).search).toEqual({
    open: 'r',
    at: '4',
    page: '2',
    day: '2026-12-24',
  })
})
