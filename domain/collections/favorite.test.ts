import { expect, test } from 'vitest'
import { applyFavoriteOrder, isSameTarget } from './favorite.ts'

const favourite = (id: string) => ({ id, collection: id, view: null, record: null })

test('a partial order puts unlisted favorites last', () => {
  const favourites = ['a', 'b', 'c', 'd'].map(favourite)
  const order = applyFavoriteOrder(favourites, ['c', 'gone', 'a', 'c'])
  expect(order.map(({ id }) => id)).toEqual(['c', 'a', 'b', 'd'])
})

test('a record and its collection are different targets', () => {
  const collection = { collection: 'cases', view: null, record: null }
  expect(isSameTarget(collection, { ...collection })).toBe(true)
  expect(isSameTarget(collection, { ...collection, record: 'r1' })).toBe(false)
})
