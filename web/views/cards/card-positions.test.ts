import { describe, expect, test } from 'vitest'
import type { FieldKind } from '#domain/fields/field.ts'
import { plainLines } from '#web/ui/grid/rows/row-window.ts'
import { ALL_EXPANDED, groupedLines, withToggled } from '#web/ui/grid/groups/group-rows.ts'
import { cardFields, cardPositions, cardShape } from './use-card-view.ts'

test('the height of a card depends on its fields, with two per row on a phone', () => {
  expect([0, 1, 2, 3, 4, 8].map((fields) => cardShape(fields, 375, false).units)).toEqual([1, 2, 2, 3, 3, 5])
})

test('a wide card has more fields per row, and room for its cover image', () => {
  expect(cardShape(8, 1200, false)).toEqual({ fieldsPerRow: 5, units: 3 })
  expect(cardShape(4, 1200, true)).toEqual({ fieldsPerRow: 4, units: 2 })
  expect(cardShape(0, 1200, true).units).toBe(2)
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

describe('cards in a column', () => {
  const cards = cardPositions(plainLines({ first: 20, end: 1_000_020 }), 3)

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

describe('cards under group headers', () => {
  const groups = [
    { key: 'a', depth: 0, count: 2, first: 0 },
    { key: 'b', depth: 0, count: 3, first: 2 },
  ]
  const cards = cardPositions(groupedLines(groups, ALL_EXPANDED, { first: 0, end: 5 }), 3)

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
    const collapsed = cardPositions(groupedLines(groups, withToggled(ALL_EXPANDED, 'a'), { first: 0, end: 5 }), 3)
    expect(collapsed.unitCount).toBe(11)
  })
})
