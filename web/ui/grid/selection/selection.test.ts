import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ALL_SELECTED,
  type GridSelection,
  isNothingSelected,
  isSelected,
  NOTHING_SELECTED,
  placeOfAnchor,
  rangeOf,
  selectedCount,
  selectionInOtherList,
  stateOfRows,
  withRows,
} from './selection.ts'

test('a million rows are selected without storing their IDs', () => {
  expect(selectedCount(ALL_SELECTED, 1_000_000)).toBe(1_000_000)
  expect(isSelected(ALL_SELECTED, 'never loaded')).toBe(true)
})

test('if “all” is selected, only excluded rows are stored', () => {
  const selection = withRows(ALL_SELECTED, ['a'], false)
  expect(selection).toEqual({ mode: 'allBut', ids: new Set(['a']) })
  expect(selectedCount(selection, 10)).toBe(9)
})

test('toggling a row twice changes nothing and affects no other row', () => {
  const anySelection: fc.Arbitrary<GridSelection> = fc.record({
    mode: fc.constantFrom('these' as const, 'allBut' as const),
    ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')).map((ids) => new Set(ids)),
  })
  fc.assert(
    fc.property(anySelection, fc.constantFrom('a', 'b'), fc.constantFrom('c', 'd'), (selection, id, other) => {
      const turned = (from: GridSelection) => withRows(from, [id], !isSelected(from, id))
      const once = turned(selection)
      expect(isSelected(once, id)).toBe(!isSelected(selection, id))
      expect(isSelected(once, other)).toBe(isSelected(selection, other))
      expect(turned(once)).toEqual(selection)
    }),
  )
})

test('the number of selected rows is unknown if the total is unknown', () => {
  expect(selectedCount(ALL_SELECTED, undefined)).toBeUndefined()
  expect(isNothingSelected(ALL_SELECTED, undefined)).toBe(false)
  expect(isNothingSelected(NOTHING_SELECTED, undefined)).toBe(true)
})

test('the page checkbox is checked, mixed or unchecked', () => {
  const page = ['a', 'b']
  expect(stateOfRows(NOTHING_SELECTED, page)).toBe('none')
  expect(stateOfRows(withRows(NOTHING_SELECTED, ['a'], true), page)).toBe('some')
  expect(stateOfRows(withRows(NOTHING_SELECTED, page, true), page)).toBe('all')
  expect(stateOfRows(NOTHING_SELECTED, [])).toBe('none')
})

const lists = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 40 })

test('a range selects the rows between the anchor and the target, even after both have moved', () => {
  fc.assert(
    fc.property(lists, fc.nat(), fc.nat(), (shown, first, second) => {
      const [anchor = '', target = ''] = [shown[first % shown.length], shown[second % shown.length]]
      const range = rangeOf(shown, anchor, target)
      expect(range).toContain(anchor)
      expect(range).toContain(target)
      expect(range).toHaveLength(Math.abs(shown.indexOf(anchor) - shown.indexOf(target)) + 1)
      expect(shown.join('\n')).toContain(range.join('\n'))
      expect(rangeOf(shown, target, anchor)).toEqual(range)
    }),
  )
})

test('only the target is selected if the anchor is not in the list', () => {
  expect(rangeOf(['a', 'b', 'c'], 'gone', 'b')).toEqual(['b'])
  expect(rangeOf(['a', 'b', 'c'], undefined, 'b')).toEqual(['b'])
})

test('an anchor is identified by its ID, even if rows before it change', () => {
  fc.assert(
    fc.property(lists, lists, fc.nat(), (before, after, at) => {
      const ordinal = at % before.length
      const id = before[ordinal] ?? ''
      const place = placeOfAnchor({ id, ordinal }, (one) => after[one])
      // Beyond the end of the list, no rows are loaded, so the anchor must be read first.
      const nowhere = ordinal < after.length ? undefined : ordinal
      expect(place).toBe(after.includes(id) ? after.indexOf(id) : nowhere)
    }),
  )
})

test('an anchor in an unloaded block is located by its stored position', () => {
  expect(placeOfAnchor({ id: 'far', ordinal: 90_000 }, (one) => (one < 100 ? `row ${one}` : undefined))).toBe(90_000)
})

test('individually selected rows remain selected when the list changes, but "all" does not', () => {
  const picked = withRows(NOTHING_SELECTED, ['a', 'b'], true)
  expect(selectionInOtherList(picked)).toBe(picked)
  expect(selectionInOtherList(withRows(ALL_SELECTED, ['a'], false))).toBe(NOTHING_SELECTED)
})
