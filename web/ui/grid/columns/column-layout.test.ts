import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  canMoveTo,
  endPx,
  fittedWidths,
  fittingFrozenCount,
  frozenIds,
  placeColumns,
  shownColumns,
  visibleRange,
  withColumnAt,
  withColumnBeside,
  withFrozenUpTo,
} from './column-layout.ts'
import { DEFAULT_LAYOUT, type GridColumn, type GridLayout } from './grid-column.ts'

function column(id: string, isTitle = false): GridColumn<string> {
  return { id, header: id.toUpperCase(), widthPx: 100, isTitle, renderCell: (row) => row }
}

const columns = [column('a', true), column('b'), column('c'), column('d'), column('e')]

const shown = (layout: GridLayout) => shownColumns(columns, layout).ids.join('')
const frozen = (layout: GridLayout) => frozenIds(columns, layout).join('')
const layout = (part: Partial<GridLayout>): GridLayout => ({ ...DEFAULT_LAYOUT, ...part })

const place = (now: GridLayout, maxFrozenPx = 1000) =>
  placeColumns(columns, {
    layout: now,
    widthsPx: now.widthsPx,
    frozenCount: fittingFrozenCount(columns, now, maxFrozenPx),
    firstIndex: 1,
  })

test('the default layout freezes the title column and keeps the given order', () => {
  expect(shown(DEFAULT_LAYOUT)).toBe('abcde')
  expect(frozen(DEFAULT_LAYOUT)).toBe('a')
  expect(frozen(layout({ frozen: [] }))).toBe('')
})

test('moving a column keeps the title first', () => {
  const moved = withColumnAt(columns, DEFAULT_LAYOUT, 'b', 3)
  expect(shown(moved)).toBe('acdbe')
  expect(shown(withColumnAt(columns, moved, 'e', 1))).toBe('aecdb')
  expect(canMoveTo(columns, DEFAULT_LAYOUT, 'b', 0)).toBe(false)
  expect(canMoveTo(columns, DEFAULT_LAYOUT, 'a', 2)).toBe(false)
  expect(withColumnAt(columns, DEFAULT_LAYOUT, 'e', 5)).toBe(DEFAULT_LAYOUT)
})

test('all columns up to a selected one can be frozen and unfrozen', () => {
  const three = withFrozenUpTo(columns, DEFAULT_LAYOUT, 'c')
  expect(frozen(three)).toBe('abc')
  expect(shown(three)).toBe('abcde')
  expect(frozen(withFrozenUpTo(columns, three, undefined))).toBe('')
})

test('a new column is placed next to a given one, and is frozen if it is between frozen columns', () => {
  const ordered = withColumnAt(columns, DEFAULT_LAYOUT, 'b', 3)
  expect(withColumnBeside(ordered, 'x', 'c', 'before').order.join('')).toBe('axcdbe')
  expect(withColumnBeside(ordered, 'x', 'c', 'after').order.join('')).toBe('acxdbe')
  expect(withColumnBeside(DEFAULT_LAYOUT, 'x', 'c', 'after')).toEqual(DEFAULT_LAYOUT)
  const two = withFrozenUpTo(columns, DEFAULT_LAYOUT, 'b')
  expect(withColumnBeside(two, 'x', 'b', 'before').frozen).toEqual(['a', 'x', 'b'])
  expect(withColumnBeside(two, 'x', 'b', 'after').frozen).toEqual(['a', 'b'])
  expect(withColumnBeside(two, 'x', 'd', 'after').frozen).toEqual(['a', 'b'])
})

test('a column is frozen when moved between frozen ones, and unfrozen when moved out', () => {
  const two = withFrozenUpTo(columns, DEFAULT_LAYOUT, 'b')
  const put = withColumnAt(columns, two, 'd', 1)
  expect([shown(put), frozen(put)]).toEqual(['adbce', 'adb'])
  const taken = withColumnAt(columns, put, 'd', 3)
  expect([shown(taken), frozen(taken)]).toEqual(['abcde', 'ab'])
})

test('frozen columns can be reordered', () => {
  const three = withFrozenUpTo(columns, DEFAULT_LAYOUT, 'c')
  const swapped = withColumnAt(columns, three, 'b', 2)
  expect([shown(swapped), frozen(swapped)]).toEqual(['acbde', 'acb'])
})

test('a column shown again appears after the column it followed before', () => {
  const moved = withColumnAt(columns, layout({ hidden: ['c'] }), 'b', 3)
  expect(shown(moved)).toBe('adeb')
  expect(shown({ ...moved, hidden: [] })).toBe('adebc')
})

test('new columns are appended, and deleted or duplicate columns are ignored', () => {
  expect(shown(layout({ order: ['e', 'x', 'b'] }))).toBe('aebcd')
  expect(shown(layout({ order: ['b', 'b', 'e', 'b'] }))).toBe('abecd')
  expect(frozen(layout({ frozen: ['x', 'b', 'b'] }))).toBe('b')
})

test('frozen columns that exceed the available width scroll with the others', () => {
  const three = withFrozenUpTo(columns, DEFAULT_LAYOUT, 'c')
  const frozenIn = (now: GridLayout, maxPx: number) =>
    place(now, maxPx)
      .frozen.map(({ column: { id } }) => id)
      .join('')
  expect(frozenIn(three, 1000)).toBe('abc')
  expect(frozenIn(three, 250)).toBe('ab')
  expect(frozenIn({ ...three, widthsPx: { a: 260 } }, 250)).toBe('')
})

test('the width of a column is limited by its minimum and the grid maximum', () => {
  const {
    frozen: [a],
    center: [b, c],
  } = place(layout({ widthsPx: { a: 1, b: 5000, c: 120 } }))
  expect([a?.widthPx, b?.widthPx, c?.widthPx]).toEqual([64, 1200, 120])
})

test('read-only columns are marked if other columns are editable', () => {
  const mixed = [column('a'), { ...column('b'), renderEditor: () => null }]
  const options = { layout: DEFAULT_LAYOUT, widthsPx: {}, frozenCount: 0, firstIndex: 0 }
  expect(placeColumns(mixed, options).center.map(({ isReadOnly }) => isReadOnly)).toEqual([true, false])
  expect(placeColumns(columns, options).center.some(({ isReadOnly }) => isReadOnly)).toBe(false)
})

const ids = ['a', 'b', 'c', 'd', 'e', 'x']
const anyLayout = fc.record({
  order: fc.array(fc.constantFrom(...ids)),
  hidden: fc.uniqueArray(fc.constantFrom(...ids)),
  widthsPx: fc.dictionary(fc.constantFrom(...ids), fc.integer({ min: 0, max: 2000 })),
  frozen: fc.option(fc.array(fc.constantFrom(...ids)), { nil: undefined }),
})

test('every visible column appears once in one of the two panes, without gaps', () => {
  fc.assert(
    fc.property(anyLayout, fc.integer({ min: 0, max: 3000 }), ({ frozen: named, ...rest }, maxFrozenPx) => {
      const now = named ? { ...rest, frozen: named } : rest
      const placed = place(now, maxFrozenPx)
      const all = [...placed.frozen, ...placed.center]
      expect(all.map((each) => each.column.id)).toEqual(shownColumns(columns, now).ids)
      expect(all.map((each) => each.index)).toEqual(all.map((_, at) => at + 1))
      expect(placed.frozenPx).toBeLessThanOrEqual(maxFrozenPx)
      for (const [pane, widthPx] of [
        [placed.frozen, placed.frozenPx],
        [placed.center, placed.centerPx],
      ] as const) {
        pane.forEach((each, at) => expect(each.startPx).toBe(endPx(pane[at - 1])))
        expect(widthPx).toBe(pane.reduce((sum, each) => sum + each.widthPx, 0))
      }
    }),
  )
})

test('the visible columns match those found by a linear search', () => {
  const widths = fc.array(fc.integer({ min: 64, max: 1200 }), { maxLength: 60 })
  const px = fc.integer({ min: 0, max: 20_000 })
  fc.assert(
    fc.property(widths, px, px, (widthsPx, fromPx, viewportPx) => {
      const many = widthsPx.map((widthPx, at) => ({ ...column(`c${at}`), widthPx }))
      const { center } = placeColumns(many, { layout: DEFAULT_LAYOUT, widthsPx: {}, frozenCount: 0, firstIndex: 0 })
      const { first, end } = visibleRange(center, fromPx, fromPx + viewportPx)
      const visible = center.filter((each) => endPx(each) > fromPx && each.startPx < fromPx + viewportPx)
      expect(center.slice(first, end)).toEqual(visible)
    }),
  )
})

test('moving columns keeps every column, with frozen ones first', () => {
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

test('columns that fit are extended to the right edge until the user resizes one', () => {
  const fitted = (availablePx: number, now = DEFAULT_LAYOUT) => fittedWidths(columns, now, availablePx)
  expect(fitted(370)).toEqual({ a: 123, b: 123, c: 124 })
  expect(fitted(500)).toEqual({})
  expect(fitted(900)).toEqual({})
  expect(fitted(60)).toEqual({})
  expect(fittedWidths(columns, DEFAULT_LAYOUT, 520, 40)).toEqual({ a: 96, b: 96, c: 96, d: 96, e: 96 })
  expect(fittedWidths(columns, DEFAULT_LAYOUT, 540, 40)).toEqual({})
  expect(fitted(370, layout({ hidden: ['b', 'd'] }))).toEqual({})
  expect(fitted(370, layout({ widthsPx: { b: 80 } }))).toEqual({ b: 80 })
})
