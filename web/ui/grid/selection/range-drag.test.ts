import { expect, test } from 'vitest'
import type { CellBounds, CellRect } from './cell-range.ts'
import { plainLines } from '#web/ui/grid/rows/row-window.ts'
import { ALL_EXPANDED, groupedLines } from '#web/ui/grid/groups/group-rows.ts'
import { fillByKey, fillTarget, pasteTarget, unionOf } from './range-drag.ts'

const bounds: CellBounds = { lines: 100, firstColumn: 1, endColumn: 7 }
const lines = plainLines({ first: 0, end: 100 })
// Lines: header a; rows 0, 1, 2; header b; rows 3, 4.
const groups = [
  { key: 'a', depth: 0, first: 0, count: 3 },
  { key: 'b', depth: 0, first: 3, count: 2 },
]
const grouped = groupedLines(groups, ALL_EXPANDED, { first: 0, end: 5 })

function rect(firstLine: number, endLine: number, firstColumn: number, endColumn: number): CellRect {
  return { firstLine, endLine, firstColumn, endColumn }
}

test('a table pasted into one cell fills as many cells as needed', () => {
  const target = pasteTarget(rect(4, 5, 2, 3), { rows: 3, columns: 2 }, lines, bounds)
  expect(target).toEqual({ rect: rect(4, 7, 2, 4), rowsBeyond: 0, columnsBeyond: 0 })
})

test('a pasted table is repeated if the selection is a multiple of its size', () => {
  expect(pasteTarget(rect(4, 10, 2, 6), { rows: 3, columns: 2 }, lines, bounds).rect).toEqual(rect(4, 10, 2, 6))
  expect(pasteTarget(rect(0, 100, 2, 3), { rows: 1, columns: 1 }, lines, bounds).rect).toEqual(rect(0, 100, 2, 3))
  expect(pasteTarget(rect(4, 10, 2, 5), { rows: 3, columns: 2 }, lines, bounds).rect).toEqual(rect(4, 7, 2, 4))
  expect(pasteTarget(rect(4, 6, 2, 3), { rows: 3, columns: 1 }, lines, bounds).rect).toEqual(rect(4, 7, 2, 3))
})

test('pasted rows and columns that do not fit are counted', () => {
  expect(pasteTarget(rect(98, 99, 6, 7), { rows: 5, columns: 3 }, lines, bounds)).toEqual({
    rect: rect(98, 100, 6, 7),
    rowsBeyond: 3,
    columnsBeyond: 2,
  })
})

test('a pasted table skips group headers', () => {
  const target = pasteTarget(rect(2, 3, 1, 2), { rows: 3, columns: 1 }, grouped, { ...bounds, lines: 7 })
  expect(target.rect).toEqual(rect(2, 6, 1, 2))
  expect(pasteTarget(rect(5, 6, 1, 2), { rows: 3, columns: 1 }, grouped, { ...bounds, lines: 7 }).rowsBeyond).toBe(1)
})

test('the fill direction is the one in which the handle was dragged farthest', () => {
  const from = rect(4, 6, 2, 4)
  expect(fillTarget(from, { line: 9, column: 3 })).toMatchObject({ direction: 'down', to: rect(6, 10, 2, 4) })
  expect(fillTarget(from, { line: 1, column: 3 })).toMatchObject({ direction: 'up', to: rect(1, 4, 2, 4) })
  expect(fillTarget(from, { line: 6, column: 6 })).toMatchObject({ direction: 'end', to: rect(4, 6, 4, 7) })
  expect(fillTarget(from, { line: 5, column: 1 })).toMatchObject({ direction: 'start', to: rect(4, 6, 1, 2) })
  expect(fillTarget(from, { line: 5, column: 3 })).toBeUndefined()
})

test('the whole filled area is selected', () => {
  const target = fillTarget(rect(4, 6, 2, 4), { line: 1, column: 2 })
  expect(target && unionOf(target)).toEqual(rect(1, 6, 2, 4))
})

test('Ctrl+D fills the selected rows from the first one, or a single row from the row above', () => {
  expect(fillByKey(rect(4, 8, 2, 4), 'down', lines)).toMatchObject({ from: rect(4, 5, 2, 4), to: rect(5, 8, 2, 4) })
  expect(fillByKey(rect(4, 5, 2, 4), 'down', lines)).toMatchObject({ from: rect(3, 4, 2, 4), to: rect(4, 5, 2, 4) })
  expect(fillByKey(rect(0, 1, 2, 4), 'down', lines)).toBeUndefined()
})

test('cells are never filled from a group header', () => {
  expect(fillByKey(rect(1, 2, 1, 2), 'down', grouped)).toBeUndefined()
  expect(fillByKey(rect(0, 4, 1, 2), 'down', grouped)).toMatchObject({ from: rect(1, 2, 1, 2), to: rect(2, 4, 1, 2) })
})

test('Ctrl+R fills the selected columns from the first one, and is handled by the browser for a single column', () => {
  expect(fillByKey(rect(4, 8, 2, 4), 'end', lines)).toMatchObject({ from: rect(4, 8, 2, 3), to: rect(4, 8, 3, 4) })
  expect(fillByKey(rect(4, 8, 2, 3), 'end', lines)).toBeUndefined()
})
