import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ALL_SELECTED,
  type GridSelection,
  isNothingSelected,
  isSelected,
  NOTHING_SELECTED,
  selectedCount,
  stateOfRows,
  withRows,
} from './selection.ts'

test('a million rows are selected without naming one', () => {
  expect(selectedCount(ALL_SELECTED, 1_000_000)).toBe(1_000_000)
  expect(isSelected(ALL_SELECTED, 'never loaded')).toBe(true)
})

test('a row taken out of "all" is the only one named', () => {
  const selection = withRows(ALL_SELECTED, ['a'], false)
  expect(selection).toEqual({ mode: 'allBut', ids: new Set(['a']) })
  expect(selectedCount(selection, 10)).toBe(9)
})

test('turning a row over twice changes nothing, and touches no other row', () => {
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

test('a count nobody knows stays unknown', () => {
  expect(selectedCount(ALL_SELECTED, undefined)).toBeUndefined()
  expect(isNothingSelected(ALL_SELECTED, undefined)).toBe(false)
  expect(isNothingSelected(NOTHING_SELECTED, undefined)).toBe(true)
})

test('the checkbox above the page is full, half or empty', () => {
  const page = ['a', 'b']
  expect(stateOfRows(NOTHING_SELECTED, page)).toBe('none')
  expect(stateOfRows(withRows(NOTHING_SELECTED, ['a'], true), page)).toBe('some')
  expect(stateOfRows(withRows(NOTHING_SELECTED, page, true), page)).toBe('all')
  expect(stateOfRows(NOTHING_SELECTED, [])).toBe('none')
})
