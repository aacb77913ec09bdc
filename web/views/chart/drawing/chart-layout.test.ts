import { expect, test } from 'vitest'
import { extentOf, fitLabel, labelStep, spansOf } from './chart-layout.ts'

const category = (key: string) => ({ key, label: key, value: null, color: null, kind: 'group' }) as const
const table = {
  categories: [category('x'), category('y')],
  values: [
    [2, -1],
    [6, null],
    [-1, -2],
  ],
}

test('series are stacked away from zero on both sides', () => {
  const spans = spansOf(table, 'stacked')
  expect(spans).toEqual([
    [
      [0, 2],
      [0, -1],
    ],
    [[2, 8], null],
    [
      [0, -1],
      [-1, -3],
    ],
  ])
  expect(extentOf(spans)).toEqual([-3, 8])
})

test('grouped series start at zero, and shares end at one', () => {
  expect(spansOf(table, 'grouped')[1]).toEqual([[0, 6], null])
  expect(spansOf(table, 'percent').map(([first]) => first)).toEqual([
    [0, 0.25],
    [0.25, 1],
    [1, 1],
  ])
})

test('an axis without values still has a length', () => {
  expect(extentOf([])).toEqual([0, 1])
  expect(extentOf([[null, [0, 0]]])).toEqual([0, 1])
})

test('labels are shortened or left out where there is no room', () => {
  expect(fitLabel('Philadelphia', 200)).toBe('Philadelphia')
  expect(fitLabel('Philadelphia', 44)).toBe('Phila…')
  expect(labelStep(['May 2026', 'Jun 2026'], 100)).toBe(1)
  expect(labelStep(['May 2026', 'Jun 2026'], 20)).toBe(4)
})
