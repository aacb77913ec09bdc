import { expect, test } from 'vitest'
import { moveItem } from './use-reorder.ts'

test('an item moves to another place and the others close up', () => {
  expect(moveItem(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(moveItem(['a', 'b', 'c', 'd'], 3, 1)).toEqual(['a', 'd', 'b', 'c'])
})

test('a place outside the list means its end', () => {
  expect(moveItem(['a', 'b', 'c'], 1, -5)).toEqual(['b', 'a', 'c'])
  expect(moveItem(['a', 'b', 'c'], 1, 9)).toEqual(['a', 'c', 'b'])
})

test('a move to its own place changes nothing at all', () => {
  const items = ['a', 'b']
  expect(moveItem(items, 1, 1)).toBe(items)
})
