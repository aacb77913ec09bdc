import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type GridSort, nextSorting, sortOf } from '#web/ui/grid/columns/grid-column.ts'

const plain = { isAdding: false }
const shift = { isAdding: true }

test('clicking a header cycles through ascending, descending and unsorted', () => {
  const once = nextSorting([], 'title', plain)
  const twice = nextSorting(once, 'title', plain)
  const thrice = nextSorting(twice, 'title', plain)
  expect([once, twice, thrice, nextSorting(thrice, 'title', plain)]).toEqual([
    [{ columnId: 'title', direction: 'asc' }],
    [{ columnId: 'title', direction: 'desc' }],
    [],
    [{ columnId: 'title', direction: 'asc' }],
  ])
})

test('clicking a header without Shift sorts by its column only, starting with ascending', () => {
  const sorting = nextSorting(nextSorting([], 'title', plain), 'year', shift)
  expect(nextSorting(sorting, 'title', plain)).toEqual([{ columnId: 'title', direction: 'asc' }])
})

test('Shift+click adds a column to the sort order or changes it without affecting others', () => {
  const both = nextSorting(nextSorting([], 'title', plain), 'year', shift)
  expect(both.map((sort) => sort.columnId)).toEqual(['title', 'year'])
  expect(nextSorting(both, 'title', shift)).toEqual([
    { columnId: 'title', direction: 'desc' },
    { columnId: 'year', direction: 'asc' },
  ])
})

test('a column that becomes unsorted is removed from the sort order', () => {
  const sorting: GridSort[] = [
    { columnId: 'title', direction: 'desc' },
    { columnId: 'year', direction: 'asc' },
  ]
  expect(nextSorting(sorting, 'title', shift)).toEqual([{ columnId: 'year', direction: 'asc' }])
})

test('no column appears twice in the sort order', () => {
  const clicks = fc.array(fc.record({ columnId: fc.constantFrom('a', 'b', 'c'), isAdding: fc.boolean() }))
  fc.assert(
    fc.property(clicks, (all) => {
      const sorting = all.reduce<readonly GridSort[]>((now, click) => nextSorting(now, click.columnId, click), [])
      expect(new Set(sorting.map((sort) => sort.columnId)).size).toBe(sorting.length)
    }),
  )
})

test('an unsorted column has no arrow, and a sorted one shows its position in the sort order', () => {
  const sorting: GridSort[] = [
    { columnId: 'title', direction: 'desc' },
    { columnId: 'year', direction: 'asc' },
  ]
  expect(sortOf(sorting, 'other')).toBeUndefined()
  expect(sortOf(sorting, 'year')).toEqual({ direction: 'asc', rank: 2, isOneOfSeveral: true })
})
