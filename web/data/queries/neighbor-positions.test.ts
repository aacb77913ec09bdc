import { describe, expect, test } from 'vitest'
import { blocksAround, neighborsOf } from './record-list-queries.ts'

/** A list of letters. */
const list = (letters: string) => (ordinal: number) => letters[ordinal]

describe('beside a record in its list', () => {
  test('stand the one before and the one after', () => {
    expect(neighborsOf({ idAt: list('abc'), id: 'b', ordinal: 1 })).toEqual({
      previous: { id: 'a', ordinal: 0 },
      next: { id: 'c', ordinal: 2 },
      ordinal: 1,
    })
  })

  test('nothing stands before the first and after the last', () => {
    expect(neighborsOf({ idAt: list('ab'), id: 'a', ordinal: 0 }).previous).toBeUndefined()
    expect(neighborsOf({ idAt: list('ab'), id: 'b', ordinal: 1 }).next).toBeUndefined()
  })

  test('a record that moved a little is found again', () => {
    const { previous, next, ordinal } = neighborsOf({ idAt: list('xyabc'), id: 'b', ordinal: 1 })
    expect([previous?.id, next?.id, ordinal]).toEqual(['a', 'c', 3])
  })

  test('of a record that left the list, what took its place is the next', () => {
    const { previous, next } = neighborsOf({ idAt: list('acd'), id: 'b', ordinal: 1 })
    expect([previous, next]).toEqual([
      { id: 'a', ordinal: 0 },
      { id: 'c', ordinal: 1 },
    ])
  })

  test('of the last one that left the list, the one before is told still', () => {
    const { previous, next } = neighborsOf({ idAt: list('ab'), id: 'c', ordinal: 2 })
    expect([previous?.id, next]).toEqual(['b', undefined])
  })

  test('nothing is told before its place is known', () => {
    const idAt = (ordinal: number) => (ordinal === 70 ? 'z' : undefined)
    expect(neighborsOf({ idAt, id: 'b', ordinal: 60 })).toEqual({
      previous: undefined,
      next: undefined,
      ordinal: 60,
    })
  })
})

test('one block of places is asked for, and two near its ends', () => {
  expect(blocksAround(0)).toEqual([0])
  expect(blocksAround(25)).toEqual([0])
  expect(blocksAround(49)).toEqual([0, 1])
  expect(blocksAround(50)).toEqual([0, 1])
  expect(blocksAround(999_999)).toEqual([19_999, 20_000])
})
