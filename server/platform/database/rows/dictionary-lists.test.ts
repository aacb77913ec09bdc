import { describe, expect, test } from 'vitest'
import {
  sameForAllRows,
  withDictionary,
  entriesOfRow,
  createDictionaryBuilder,
  type DictionaryLists,
} from './dictionary-lists.ts'

const ROWS = [['red', 'blue'], [], ['blue'], ['green', 'red']]

function picksOf(rows: readonly (readonly string[])[]): DictionaryLists {
  const { add, picks } = createDictionaryBuilder()
  for (const row of rows) add(row)
  return picks()
}

const rowsOf = (picks: DictionaryLists): string[][] => Array.from(picks.ends.keys(), (row) => entriesOfRow(picks, row))

describe('dictionary lists', () => {
  test('store every distinct text once, and return the texts of each row', () => {
    const picks = picksOf(ROWS)
    expect(picks.texts).toEqual(['red', 'blue', 'green'])
    expect(rowsOf(picks)).toEqual(ROWS)
  })

  test('can be mapped to other texts', () => {
    expect(rowsOf(withDictionary(picksOf(ROWS), ['1', '2', '3']))).toEqual([['1', '2'], [], ['2'], ['3', '1']])
  })

  test('have no duplicates in a row after mapping', () => {
    expect(rowsOf(withDictionary(picksOf(ROWS), ['1', '1', '3']))).toEqual([['1'], [], ['1'], ['3', '1']])
  })

  test('can be the same for all rows', () => {
    expect(rowsOf(sameForAllRows(['a', 'b'], 2))).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })
})
