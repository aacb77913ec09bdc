import { expect, test } from 'vitest'
import { PLAIN_QUERY } from './query-in-url.ts'
import { addressAfter, steps } from './use-address-query.ts'

test('what is typed further is one step; whatever comes between or later is another', () => {
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

test('a change says how the list follows from what its address asks for', () => {
  const first = addressAfter({ group: 'owner,status', page: '3' }, { group: 'status' }, PLAIN_QUERY)
  expect(first.search).toEqual({ group: 'status' })
  const turned = addressAfter(
    first.search,
    ({ group }) => ({ group, sort: [{ field: 'status', direction: 'desc' }] }),
    PLAIN_QUERY,
  )
  expect(turned.search).toEqual({ group: 'status', sort: '-status' })
})

test('what is as in the view in force is left out, and said where it is not', () => {
  const base = { ...PLAIN_QUERY, view: 'v', filter: 'a = 1' }
  expect(addressAfter({ view: 'v' }, { search: 'x' }, base).search).toEqual({ view: 'v', search: 'x' })
  expect(addressAfter({ view: 'v', search: 'x' }, { filter: '', search: '' }, base).search).toEqual({
    view: 'v',
    filter: '',
  })
})

test('the open record stays open, and keeps its place only in the same order', () => {
  const parts = { open: 'r', at: '4' }
  expect(addressAfter(parts, { page: 2 }, PLAIN_QUERY).search).toEqual({ open: 'r', at: '4', page: '2' })
  expect(addressAfter(parts, { search: 'x' }, PLAIN_QUERY).search).toEqual({ open: 'r', search: 'x' })
})
