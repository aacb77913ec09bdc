import { describe, expect, test } from 'vitest'
import { blocksAround, neighborsOf } from './record-list-queries.ts'

const list = (letters: string) => (ordinal: number) => letters[ordinal]

describe('the previous and next record', () => {
  test('are the adjacent records in the list', () => {
    expect(neighborsOf({ idAt: list('abc'), id: 'b', ordinal: 1 })).toEqual({
      previous: { id: 'a', ordinal: 0 },
      next: { id: 'c', ordinal: 2 },
      ordinal: 1,
    })
  })

  test('are undefined at the start and end of the list', () => {
    expect(neighborsOf({ idAt: list('ab'), id: 'a', ordinal: 0 }).previous).toBeUndefined()
    expect(neighborsOf({ idAt: list('ab'), id: 'b', ordinal: 1 }).next).toBeUndefined()
  })

  test('are correct after the record moved a short distance', () => {
    const { previous, next, ordinal } = neighborsOf({ idAt: list('xyabc'), id: 'b', ordinal: 1 })
    expect([previous?.id, next?.id, ordinal]).toEqual(['a', 'c', 3])
  })

  test('after a record leaves the list, the next one is the record at its position', () => {
    const { previous, next } = neighborsOf({ idAt: list('acd'), id: 'b', ordinal: 1 })
    expect([previous, next]).toEqual([
      { id: 'a', ordinal: 0 },
      { id: 'c', ordinal: 1 },
    ])
  })

  test('after the last record leaves the list, the previous one is the new last record', () => {
    const { previous, next } = neighborsOf({ idAt: list('ab'), id: 'c', ordinal: 2 })
    expect([previous?.id, next]).toEqual(['b', undefined])
  })

  test('are unknown until the position of the record is known', () => {
    const idAt = (ordinal: number) => (ordinal === 70 ? 'z' : undefined)
    expect(neighborsOf({ idAt, id: 'b', ordinal: 60 })).toEqual({
      previous: undefined,
      next: undefined,
      ordinal: 60,
    })
  })
})

test('are found in one block of positions, or in two near a block boundary', () => {
  expect(blocksAround(0)).toEqual([0])
  expect(blocksAround(25)).toEqual([0])
  expect(blocksAround(49)).toEqual([0, 1])
  expect(blocksAround(50)).toEqual([0, 1])
  expect(blocksAround(999_999)).toEqual([19_999, 20_000])
})
