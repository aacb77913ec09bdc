import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  blockOf,
  clippedAtGroupHeaders,
  type CellBounds,
  type CellRange,
  countOf,
  containsCell,
  isOneCell,
  selectionOfCell,
  selectionOfLine,
  oneCell,
  rectOf,
  takeFirst,
  widened,
} from './cell-range.ts'
import { plainLines } from '#web/ui/grid/rows/row-window.ts'
import { groupedLines } from '#web/ui/grid/groups/group-rows.ts'

const bounds: CellBounds = { lines: 1_000_000, firstColumn: 1, endColumn: 13 }
const idOfColumn = (column: number) => (column === 0 ? undefined : `c${column}`)

function range(anchor: [number, number], focus: [number, number], covers: CellRange['covers'] = 'cells'): CellRange {
  return { anchor: { line: anchor[0], column: anchor[1] }, focus: { line: focus[0], column: focus[1] }, covers }
}

test('a range is the same regardless of the corner where the selection started', () => {
  const rect = { firstLine: 2, endLine: 6, firstColumn: 3, endColumn: 5 }
  expect(rectOf(range([2, 3], [5, 4]), bounds)).toEqual(rect)
  expect(rectOf(range([5, 4], [2, 3]), bounds)).toEqual(rect)
  expect(rectOf(range([5, 3], [2, 4]), bounds)).toEqual(rect)
})

test('ranges exclude the checkbox column and lines after the last row', () => {
  expect(rectOf(range([0, 0], [2, 2]), bounds)).toEqual({ firstLine: 0, endLine: 3, firstColumn: 1, endColumn: 3 })
  expect(rectOf(range([4, 1], [9, 1]), { ...bounds, lines: 6 })?.endLine).toBe(6)
  expect(rectOf(range([4, 1], [9, 1]), { ...bounds, lines: 4 })).toBeUndefined()
  expect(rectOf(range([4, 0], [9, 0]), bounds)).toBeUndefined()
})

test('a selection of whole columns includes all rows, even those added later', () => {
  const column = widened(oneCell({ line: 7, column: 3 }), 'columns')
  expect(rectOf(column, bounds)).toEqual({ firstLine: 0, endLine: 1_000_000, firstColumn: 3, endColumn: 4 })
  expect(rectOf(column, { ...bounds, lines: 12 })?.endLine).toBe(12)
  expect(rectOf({ ...column, focus: { line: 7, column: 5 } }, bounds)).toMatchObject({ firstColumn: 3, endColumn: 6 })
})

test('selecting whole rows and whole columns selects everything', () => {
  const all = { firstLine: 0, endLine: 1_000_000, firstColumn: 1, endColumn: 13 }
  const rows = widened(range([3, 2], [4, 2]), 'rows')
  expect(rectOf(rows, bounds)).toEqual({ firstLine: 3, endLine: 5, firstColumn: 1, endColumn: 13 })
  expect(rectOf(widened(rows, 'columns'), bounds)).toEqual(all)
  expect(rectOf(widened(oneCell({ line: 3, column: 2 }), 'all'), bounds)).toEqual(all)
  expect(widened(rows, 'rows').covers).toBe('rows')
})

test('a selection is reported as row ordinals and column IDs', () => {
  const rect = { firstLine: 1, endLine: 4, firstColumn: 2, endColumn: 4 }
  const block = blockOf(rect, plainLines({ first: 40, end: 50 }), idOfColumn)
  expect(block).toEqual({ rows: [{ first: 41, end: 44 }], rowCount: 3, columnIds: ['c2', 'c3'] })
})

test('group headers within a range are not part of it', () => {
  const groups = [
    { key: 'a', depth: 0, first: 0, count: 3 },
    { key: 'b', depth: 0, first: 3, count: 5 },
    { key: 'c', depth: 0, first: 8, count: 2 },
  ]
  const lines = groupedLines(groups, { isCollapsed: false, except: new Set(['b']) }, { first: 0, end: 10 })
  // Lines: header a; rows 0, 1, 2; header b (collapsed); header c; rows 8, 9.
  const block = blockOf({ firstLine: 2, endLine: 7, firstColumn: 1, endColumn: 2 }, lines, idOfColumn)
  expect(block.rows).toEqual([
    { first: 1, end: 3 },
    { first: 8, end: 9 },
  ])
  expect(block.rowCount).toBe(3)
})

test('group headers at the ends of a range are removed from it', () => {
  const groups = [
    { key: 'a', depth: 0, first: 0, count: 2 },
    { key: 'a/x', depth: 1, first: 0, count: 2 },
    { key: 'b', depth: 0, first: 2, count: 2 },
  ]
  const lines = groupedLines(groups, { isCollapsed: false, except: new Set(['b']) }, { first: 0, end: 4 })
  // Lines: header a; header a/x; rows 0, 1; header b (collapsed).
  const rect = { firstLine: 0, endLine: 5, firstColumn: 1, endColumn: 3 }
  expect(clippedAtGroupHeaders(rect, lines)).toEqual({ ...rect, firstLine: 2, endLine: 4 })
  expect(clippedAtGroupHeaders({ ...rect, endLine: 2 }, lines)).toBeUndefined()
  expect(clippedAtGroupHeaders(rect, plainLines({ first: 0, end: 9 }))).toBe(rect)
})

test('a selection of a million rows is stored as one range', () => {
  const rect = { firstLine: 0, endLine: 1_000_000, firstColumn: 1, endColumn: 13 }
  const block = blockOf(rect, plainLines({ first: 0, end: 1_000_000 }), idOfColumn)
  expect(block.rows).toEqual([{ first: 0, end: 1_000_000 }])
  expect(block.rowCount).toBe(1_000_000)
  expect(block.columnIds).toHaveLength(12)
})

test('only lines at the edge of a range are updated when it grows', () => {
  const before = rectOf(range([2, 3], [4, 5]), bounds)
  const after = rectOf(range([2, 3], [5, 5]), bounds)
  expect(selectionOfLine(before, 2, true)).toEqual({ firstColumn: 3, endColumn: 6, edges: 'rt' })
  expect(selectionOfLine(before, 3, true).edges).toBe('r')
  expect(selectionOfLine(before, 4, true).edges).toBe('rbh')
  expect(selectionOfLine(before, 5, true).edges).toBe('')
  const changed = [0, 1, 2, 3, 4, 5, 6].filter(
    (line) => selectionOfLine(before, line, true).edges !== selectionOfLine(after, line, true).edges,
  )
  expect(changed).toEqual([4, 5])
})

test('the outer cells of a range have borders, and the last one has the fill handle', () => {
  const line = selectionOfLine(rectOf(range([2, 3], [2, 5]), bounds), 2, true)
  expect([2, 3, 4, 5, 6].map((column) => selectionOfCell(line, column))).toEqual([
    undefined,
    'rtbs',
    'rtb',
    'rtbhe',
    undefined,
  ])
})

test('a single cell is not highlighted, and has the fill handle only if it can be filled', () => {
  const rect = rectOf(oneCell({ line: 2, column: 3 }), bounds)
  expect(rect && isOneCell(rect)).toBe(true)
  expect(selectionOfCell(selectionOfLine(rect, 2, true), 3)).toBe('h')
  expect(selectionOfCell(selectionOfLine(rect, 2, false), 3)).toBeUndefined()
})

test('ranges can be counted, truncated and enumerated', () => {
  const spans = [
    { first: 2, end: 5 },
    { first: 9, end: 11 },
  ]
  expect(countOf(spans)).toBe(5)
  expect(takeFirst(spans, 4)).toEqual([
    { first: 2, end: 5 },
    { first: 9, end: 10 },
  ])
  expect(takeFirst(spans, 0)).toEqual([])
  expect(takeFirst(spans, 99)).toEqual(spans)
})

test('a cell is highlighted if and only if the range contains it', () => {
  const number = fc.nat(8)
  fc.assert(
    fc.property(fc.tuple(number, number), fc.tuple(number, number), fc.tuple(number, number), (anchor, focus, at) => {
      const rect = rectOf(range(anchor, focus), { lines: 7, firstColumn: 1, endColumn: 6 })
      const isMarked = selectionOfCell(selectionOfLine(rect, at[0], false), at[1]) !== undefined
      const isHeld = rect !== undefined && containsCell(rect, { line: at[0], column: at[1] })
      expect(isMarked).toBe(isHeld && rect !== undefined && !isOneCell(rect))
    }),
  )
})
