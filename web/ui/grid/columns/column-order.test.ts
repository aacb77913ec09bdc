import fc from 'fast-check'
import { expect, test } from 'vitest'

import { canMoveTo, frozenIds, frozenWithin, shownColumns, withColumnAt, withFrozenUpTo } from './column-order.ts'
import { DEFAULT_LAYOUT, type GridColumn, type GridLayout } from './grid-column.ts'

function column(id: string, isTitle = false): GridColumn<string> {
  return { id, header: id.toUpperCase(), widthPx: 100, isTitle, renderCell: (row) => row }
}

const columns = [column('a', true), column('b'), column('c'), column('d'), column('e')]

const shown = (layout: GridLayout) => shownColumns(columns, layout).ids.join('')
const frozen = (layout: GridLayout) => frozenIds(columns, layout).join('')
const layout = (part: Partial<GridLayout>): GridLayout => ({ ...DEFAULT_LAYOUT, ...part })

test('at first the title is frozen and the columns stand as the app gave them', () => {
  expect(shown(DEFAULT_LAYOUT)).toBe('abcde')
  expect(frozen(DEFAULT_LAYOUT)).toBe('a')
  expect(frozen(layout({ frozen: [] }))).toBe('')
})

test('a column moves to where it is put, and the title keeps its place', () => {
  const moved = withColumnAt(columns, DEFAULT_LAYOUT, 'b', 3)
  expect(shown(moved)).toBe('acdbe')
  expect(shown(withColumnAt(columns, moved, 'e', 1))).toBe('aecdb')
  expect(canMoveTo(columns, DEFAULT_LAYOUT, 'b', 0)).toBe(false)
  expect(canMoveTo(columns, DEFAULT_LAYOUT, 'a', 2)).toBe(false)
  expect(withColumnAt(columns, DEFAULT_LAYOUT, 'e', 5)).toBe(DEFAULT_LAYOUT)
})

test('all columns up to one are frozen, and set free again', () => {
  const three = withFrozenUpTo(columns, DEFAULT_LAYOUT, 'c')
  expect(frozen(three)).toBe('abc')
  expect(shown(three)).toBe('abcde')
  expect(frozen(withFrozenUpTo(columns, three, undefined))).toBe('')
})

test('a column put between frozen ones is frozen, one taken out is not', () => {
  const two = withFrozenUpTo(columns, DEFAULT_LAYOUT, 'b')
  const put = withColumnAt(columns, two, 'd', 1)
  expect([shown(put), frozen(put)]).toEqual(['adbce', 'adb'])
  const taken = withColumnAt(columns, put, 'd', 3)
  expect([shown(taken), frozen(taken)]).toEqual(['abcde', 'ab'])
})

test('frozen columns change places among themselves', () => {
  const three = withFrozenUpTo(columns, DEFAULT_LAYOUT, 'c')
  const swapped = withColumnAt(columns, three, 'b', 2)
  expect([shown(swapped), frozen(swapped)]).toEqual(['acbde', 'acb'])
})

test('a hidden column comes back behind the one it stood behind', () => {
  const moved = withColumnAt(columns, layout({ hidden: ['c'] }), 'b', 3)
  expect(shown(moved)).toBe('adeb')
  expect(shown({ ...moved, hidden: [] })).toBe('adebc')
})

test('columns made later stand at the end, columns that are gone are forgotten', () => {
  expect(shown(layout({ order: ['e', 'x', 'b'] }))).toBe('aebcd')
  expect(frozen(layout({ frozen: ['x', 'b'] }))).toBe('b')
})

test('where there is little room, only the first frozen columns stay in sight', () => {
  const three = withFrozenUpTo(columns, DEFAULT_LAYOUT, 'c')
  expect(frozenWithin(columns, three, 1000).join('')).toBe('abc')
  expect(frozenWithin(columns, three, 250).join('')).toBe('ab')
  expect(frozenWithin(columns, { ...three, widthsPx: { a: 260 } }, 250)).toEqual([])
})

test('moves keep every column, and keep frozen ones in front', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  const step = fc.record({ id, place: fc.nat(5), isFreezing: fc.boolean(), isHiding: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let now = DEFAULT_LAYOUT
      for (const { id: moved, place, isFreezing, isHiding } of steps) {
        now = isFreezing ? withFrozenUpTo(columns, now, moved) : withColumnAt(columns, now, moved, place)
        now = isHiding && moved !== 'a' ? { ...now, hidden: [moved] } : now
        const { ids, frozenCount } = shownColumns(columns, now)
        expect([...ids, ...now.hidden].toSorted().join('')).toBe('abcde')
        expect(ids.slice(0, frozenCount)).toEqual(frozenIds(columns, now))
      }
    }),
  )
})
