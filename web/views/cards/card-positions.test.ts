import { describe, expect, test } from 'vitest'
import type { FieldKind } from '#domain/fields/field.ts'
import { plainLines } from '#web/ui/grid/rows/row-window.ts'
import { ALL_COLLAPSED, ALL_EXPANDED, groupedLines, withToggled } from '#web/ui/grid/groups/group-rows.ts'
import { cardFields, cardPositions, cardShape } from './use-card-view.ts'

describe('a card that fills the row', () => {
  const rowOf = (fieldCount: number, listPx: number, hasCover = false) =>
    cardShape({ size: 'row', fieldCount, hasCover }, listPx)

  test('is as high as its fields require, with two side by side on a phone', () => {
    expect([0, 1, 2, 3, 4, 8].map((fields) => rowOf(fields, 375).units)).toEqual([1, 2, 2, 3, 3, 5])
  })

  test('has more fields side by side if it is wide, and room for its cover image', () => {
    expect(rowOf(8, 1200)).toMatchObject({ columns: 1, fieldsPerRow: 5, units: 3 })
    expect(rowOf(4, 1200, true)).toMatchObject({ fieldsPerRow: 4, units: 2 })
    expect(rowOf(0, 1200, true).units).toBe(2)
  })
})

describe('cards in columns', () => {
  const shapeOf = (size: 'small' | 'medium' | 'large', listPx: number, fieldCount = 4, hasCover = true) =>
    cardShape({ size, fieldCount, hasCover }, listPx)

  test('share the width of the list, with at least one column', () => {
    expect(shapeOf('medium', 1200)).toMatchObject({ columns: 5, widthPx: 225 })
    expect(shapeOf('large', 1200).columns).toBe(3)
    expect(shapeOf('small', 320)).toMatchObject({ columns: 2, widthPx: 142 })
    expect(shapeOf('large', 320)).toMatchObject({ columns: 1, widthPx: 296 })
    expect(shapeOf('small', 0).columns).toBe(1)
  })

  test('have room for the cover, the title and each field', () => {
    const { heightPx, units, unitPx } = shapeOf('medium', 1200)
    expect(heightPx).toBeGreaterThanOrEqual(148 + 44 + 4 * 24)
    expect(units * unitPx - heightPx).toBe(12)
    expect(shapeOf('medium', 1200, 2, false).heightPx).toBeLessThan(heightPx - 148)
  })
})

describe('the fields on a card', () => {
  const kinds = (list: readonly FieldKind[], count: number) =>
    cardFields(
      list.map((kind) => ({ kind })),
      count,
    ).map(({ kind }) => kind)

  test('are the first fields in list order', () => {
    expect(kinds(['text', 'number', 'email', 'files'], 2)).toEqual(['text', 'number'])
  })

  test('include status and date fields in list order', () => {
    expect(kinds(['text', 'number', 'files', 'date', 'long-text', 'state'], 4)).toEqual([
      'text',
      'number',
      'date',
      'state',
    ])
  })

  test('include a status field in preference to a select field', () => {
    expect(kinds(['select', 'text', 'state', 'date-time'], 2)).toEqual(['state', 'date-time'])
  })
})

const ROWS = { columns: 1, units: 3, unitPx: 44 }

describe('cards in a column', () => {
  const cards = cardPositions(plainLines({ first: 20, end: 1_000_020 }), ROWS)

  test('are located by calculation, even if there are a million', () => {
    expect(cards.unitCount).toBe(3_000_000)
    expect(cards.unitOf(999_999)).toBe(2_999_997)
    expect(cards.linesIn({ first: 2_999_996, end: 3_000_000 })).toEqual({ first: 999_998, end: 1_000_000 })
  })

  test('are rendered when partially visible', () => {
    expect(cards.linesIn({ first: 4, end: 7 })).toEqual({ first: 1, end: 3 })
    expect(cards.linesIn({ first: 3, end: 6 })).toEqual({ first: 1, end: 2 })
    expect(cards.linesIn({ first: 5, end: 5 })).toEqual({ first: 1, end: 1 })
  })
})

const GROUPS = [
  { key: 'a', depth: 0, count: 2, first: 0 },
  { key: 'b', depth: 0, count: 3, first: 2 },
]

describe('cards under group headers', () => {
  const cards = cardPositions(groupedLines(GROUPS, ALL_EXPANDED, { first: 0, end: 5 }), ROWS)

  test('start below the headers and cards before them', () => {
    // Lines: header, two cards, header, three cards.
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(cards.unitOf)).toEqual([0, 1, 4, 7, 8, 11, 14, 17])
    expect(cards.unitCount).toBe(17)
  })

  test('are found at any scroll position', () => {
    expect(cards.linesIn({ first: 0, end: 1 })).toEqual({ first: 0, end: 1 })
    expect(cards.linesIn({ first: 3, end: 8 })).toEqual({ first: 1, end: 4 })
    expect(cards.linesIn({ first: 13, end: 17 })).toEqual({ first: 5, end: 7 })
  })

  test('take up no height if their group is collapsed', () => {
    const collapsed = cardPositions(groupedLines(GROUPS, withToggled(ALL_EXPANDED, 'a'), { first: 0, end: 5 }), ROWS)
    expect(collapsed.unitCount).toBe(11)
    expect(cardPositions(groupedLines(GROUPS, ALL_COLLAPSED, { first: 0, end: 5 }), ROWS).unitCount).toBe(2)
  })
})

describe('cards in two columns', () => {
  // A header is two units high. Lines: header, two cards, header, three cards.
  const cards = cardPositions(groupedLines(GROUPS, ALL_EXPANDED, { first: 0, end: 5 }), {
    columns: 2,
    units: 10,
    unitPx: 22,
  })
  const lines = [0, 1, 2, 3, 4, 5, 6]

  test('start in the first column after each header', () => {
    expect(lines.map(cards.unitOf)).toEqual([0, 2, 2, 12, 14, 14, 24])
    expect(lines.map(cards.columnOf)).toEqual([0, 0, 1, 0, 0, 1, 0])
    expect(cards.unitCount).toBe(34)
  })

  test('are rendered in whole rows', () => {
    expect(cards.linesIn({ first: 2, end: 3 })).toEqual({ first: 1, end: 3 })
    expect(cards.linesIn({ first: 11, end: 15 })).toEqual({ first: 1, end: 6 })
    expect(cards.linesIn({ first: 30, end: 34 })).toEqual({ first: 6, end: 7 })
  })

  test('are reached with the arrow keys in the same column, and across headers', () => {
    expect(lines.map(cards.below)).toEqual([1, 3, 3, 4, 6, 6, 6])
    expect(lines.map(cards.above)).toEqual([-1, 0, 0, 2, 3, 3, 4])
  })

  test('stay in place above the first and below the last row', () => {
    const plain = cardPositions(plainLines({ first: 0, end: 5 }), { columns: 2, units: 10, unitPx: 22 })
    expect([0, 1, 2, 3, 4].map(plain.below)).toEqual([2, 3, 4, 4, 4])
    expect([0, 1, 2, 3, 4].map(plain.above)).toEqual([0, 1, 0, 1, 2])
    expect(plain.unitCount).toBe(30)
  })
})
