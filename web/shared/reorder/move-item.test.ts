import { expect, test } from 'vitest'
import { moveItem } from './use-reorder.ts'

test('moving an item closes the gap at its old position', () => {
  expect(moveItem(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(moveItem(['a', 'b', 'c', 'd'], 3, 1)).toEqual(['a', 'd', 'b', 'c'])
})

test('an out-of-bounds position moves the item to the end', () => {
  expect(moveItem(['a', 'b', 'c'], 1, -5)).toEqual(['b', 'a', 'c'])
  expect(moveItem(['a', 'b', 'c'], 1, 9)).toEqual(['a', 'c', 'b'])
})

test('returns the same list if nothing moves', () => {
  const items = ['a', 'b']
  expect(moveItem(items, 1, 1)).toBe(items)
})
