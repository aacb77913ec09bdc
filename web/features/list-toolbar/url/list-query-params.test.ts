import { describe, expect, test } from 'vitest'
import {
  type ListQuery,
  changedQuery,
  groupNames,
  listSort,
  DEFAULT_LIST_QUERY,
  printListQuery,
  printGroup,
  parseListQuery,
  readSort,
} from './list-query-params.ts'

const everything: ListQuery = {
  view: null,
  filter: 'status = "open" && amount >= 10',
  search: '"long haul" boston',
  sort: [
    { field: 'amount', direction: 'desc' },
    { field: 'title', direction: 'asc' },
  ],
  group: 'status',
  page: 3,
  perPage: 20,
  asOf: '2026-11-01T09:30:00.000Z',
  layout: 'grid',
  day: '2026-12-24',
  period: 'week',
}

describe('list URL', () => {
  test('contains all settings that affect what the list shows', () => {
    expect(parseListQuery(printListQuery(everything))).toEqual(everything)
    const windowed = { ...everything, page: 1, perPage: 'all' } as const
    expect(parseListQuery(printListQuery(windowed))).toEqual(windowed)
  })

  test('omits default values', () => {
    expect(printListQuery(DEFAULT_LIST_QUERY)).toEqual({})
    expect(parseListQuery({})).toEqual(DEFAULT_LIST_QUERY)
  })

  test('replaces invalid values with defaults', () => {
    expect(parseListQuery({ page: '-1', perPage: '7', sort: ',,', group: '' })).toEqual(DEFAULT_LIST_QUERY)
    expect(parseListQuery({ page: '2e9' }).page).toBe(1)
  })

  test('has only one page if all records are shown', () => {
    expect(parseListQuery({ page: '4', perPage: 'all' })).toEqual({ ...DEFAULT_LIST_QUERY, perPage: 'all' })
  })
})

test('a change of the records or their order returns to the first page', () => {
  expect(changedQuery(everything, { search: 'x' }).page).toBe(1)
  expect(changedQuery(everything, { page: 5 })).toEqual({ ...everything, page: 5 })
  expect(changedQuery(everything, { day: '2027-01-01', period: 'month' }).page).toBe(3)
})

test('a repeated sort field is used once', () => {
  expect(readSort('-a, b,a')).toEqual([
    { field: 'a', direction: 'desc' },
    { field: 'b', direction: 'asc' },
  ])
})

test('a list is grouped by at most three distinct fields', () => {
  expect(parseListQuery({ group: 'status, owner' }).group).toBe('status,owner')
  expect(parseListQuery({ group: 'a,b,a,c,d' }).group).toBe('a,b,c')
  expect(groupNames('status,owner')).toEqual(['status', 'owner'])
  expect(groupNames(null)).toEqual([])
  expect(printGroup([])).toBeNull()
})

test('group fields come first in the sort order', () => {
  const { sort } = everything
  expect(listSort({ sort, group: 'status' })).toBe('status,-amount,title')
  expect(listSort({ sort, group: 'amount' })).toBe('-amount,title')
  expect(listSort({ sort, group: 'status,amount' })).toBe('status,-amount,title')
  expect(listSort({ sort, group: null })).toBe('-amount,title')
})

describe('list URL with an active view', () => {
  const base: ListQuery = {
    ...DEFAULT_LIST_QUERY,
    view: 'v1',
    filter: 'a = 1',
    sort: [{ field: 'a', direction: 'desc' }],
    group: 'b',
    perPage: 20,
  }
  const inForce: ListQuery = base

  test('contains only the view if there are no unsaved changes', () => {
    expect(printListQuery(inForce, base)).toEqual({ view: 'v1' })
    expect(parseListQuery({ view: 'v1' }, base)).toEqual(inForce)
  })

  test('contains unsaved changes, including empty values', () => {
    const changed: ListQuery = { ...inForce, filter: '', sort: [], group: null, perPage: 10, page: 3 }
    const parts = { view: 'v1', filter: '', sort: '', group: '', perPage: '10', page: '3' }
    expect(printListQuery(changed, base)).toEqual(parts)
    expect(parseListQuery(parts, base)).toEqual(changed)
  })

  test('replaces invalid values with the settings of the view', () => {
    expect(parseListQuery({ view: 'v1', perPage: '7' }, base).perPage).toBe(20)
  })
})

test('a remembered page size is part of the URL, and is ignored in a link to a later page', () => {
  const remembered: ListQuery = { ...DEFAULT_LIST_QUERY, perPage: 'all' }
  expect(parseListQuery({}, remembered).perPage).toBe('all')
  expect(printListQuery(remembered, remembered)).toEqual({ perPage: 'all' })
  expect(parseListQuery({ page: '3' }, remembered)).toEqual({ ...DEFAULT_LIST_QUERY, page: 3 })
  expect(printListQuery({ ...remembered, perPage: 10 }, remembered)).toEqual({ perPage: '10' })
})
