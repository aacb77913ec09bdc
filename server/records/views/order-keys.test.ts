import { expect, test } from 'vitest'
import { gapBeside, keyInGap } from './order-keys.ts'

const [FIRST, SECOND, THIRD] = [
  '01k0000000000000000000000a',
  '01k0000000000000000000000b',
  '01k0000000000000000000000c',
]

/** Moves records one after another, as the server does with the keys of a view. */
function orderAfter(moves: readonly (readonly [record: string, place: 'before' | 'after', neighbor: string])[]) {
  const records = [FIRST, SECOND, THIRD, 'x', 'y', 'z'].map((id) => id.padEnd(26, '0'))
  const keys = new Map<string, string>()
  for (const [short, place, other] of moves) {
    const [record, neighbor] = [short.padEnd(26, '0'), other.padEnd(26, '0')]
    const key = keys.get(neighbor) ?? neighbor
    const { from, to, isFromEnd } = gapBeside(place, key)
    const inside = [...keys].filter(([id, each]) => id !== record && each > from && each < to).map(([, each]) => each)
    keys.set(record, keyInGap(place, key, inside.toSorted().at(isFromEnd ? -1 : 0)))
  }
  const keyOf = (id: string) => keys.get(id) ?? id
  return {
    keys,
    order: records.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)).map((id) => id.replace(/0+$/, '')),
  }
}

test('a record is placed directly before or after another one', () => {
  expect(orderAfter([['x', 'after', FIRST]]).order).toEqual([FIRST, 'x', SECOND, THIRD, 'y', 'z'])
  expect(orderAfter([['x', 'before', FIRST]]).order).toEqual(['x', FIRST, SECOND, THIRD, 'y', 'z'])
  expect(
    orderAfter([
      ['x', 'after', FIRST],
      ['y', 'after', FIRST],
      ['z', 'before', SECOND],
    ]).order,
  ).toEqual([FIRST, 'y', 'x', 'z', SECOND, THIRD])
  expect(
    orderAfter([
      ['z', 'before', 'x'],
      ['y', 'before', 'z'],
      ['x', 'before', 'y'],
    ]).order,
  ).toEqual([FIRST, SECOND, THIRD, 'x', 'y', 'z'])
})

test('only the moved record gets a key', () => {
  expect([...orderAfter([['z', 'before', SECOND]]).keys.keys()]).toEqual(['z'.padEnd(26, '0')])
})

test('keys stay short when records are inserted at the same place many times', () => {
  const moves = Array.from({ length: 500 }, (_, at) => [['x', 'y', 'z'][at % 3] ?? '', 'after', FIRST] as const)
  const { keys } = orderAfter(moves)
  expect(Math.max(...[...keys.values()].map((key) => key.length))).toBeLessThan(40)
})
