import { describe, expect, test } from 'vitest'
import { blocksAround, neighborsOf } from './record-list-queries.ts'

const list = (letters: string) => (ordinal: number) => letters[ordinal]

describe('previous and next record', () => {
  test('are the adjacent ones', () => {
    expect(neighborsOf({ idAt: list('abc'), id: 'b', ordinal: 1 })).toEqual({
      previous: { id: 'a', ordinal: 0 },
      next: { id: 'c', ordinal: 2 },
      ordinal: 1,
    })
  })

  test('are undefined at the ends', () => {
    expect(neighborsOf({ idAt: list('ab'), id: 'a', ordinal: 0 }).previous).toBeUndefined()
    expect(neighborsOf({ idAt: list('ab'), id: 'b', ordinal: 1 }).next).toBeUndefined()
  })

  test('follow a record that moved a short distance', () => {
    const { previous, next, ordinal } = neighborsOf({ idAt: list('xyabc'), id: 'b', ordinal: 1 })
    expect([previous?.id, next?.id, ordinal]).toEqual(['a', 'c', 3])
  })

  test('after a record left the list, next is the record that took its position', () => {
    const { previous, next } = neighborsOf({ idAt: list('acd'), id: 'b', ordinal: 1 })
    expect([previous, next]).toEqual([
      { id: 'a', ordinal: 0 },
      { id: 'c', ordinal: 1 },
    ])
  })

  test('after the last record left the list, previous is the one before', () => {
    const { previous, next } = neighborsOf({ idAt: list('ab'), id: 'c', ordinal: 2 })
    expect([previous?.id, next]).toEqual(['b', undefined])
  })

  test('are unknown until the position is known', () => {
    const idAt = (ordinal: number) => (ordinal === 70 ? 'z' : undefined)
    expect(neighborsOf({ idAt, id: 'b', ordinal: 60 })).toEqual({
      previous: undefined,
      next: undefined,
      ordinal: 60,
    })
  })
})

test('need one block of positions, or two near its boundaries', () => {
  expect(blocksAround(0)).toEqual([0])
  expect(blocksAround(25)).toEqual([0])
  expect(blocksAround(49)).toEqual([0, 1])
  expect(blocksAround(50)).toEqual([0, 1])
  expect(blocksAround(999_999)).toEqual([19_999, 20_000])
})
