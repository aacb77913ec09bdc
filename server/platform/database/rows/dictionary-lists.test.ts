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

describe('picks of a few texts', () => {
  test('say every text once, and give every row back what it had', () => {
    const picks = picksOf(ROWS)
    expect(picks.texts).toEqual(['red', 'blue', 'green'])
    expect(rowsOf(picks)).toEqual(ROWS)
  })

  test('stand for other texts when these are exchanged', () => {
    expect(rowsOf(withDictionary(picksOf(ROWS), ['1', '2', '3']))).toEqual([['1', '2'], [], ['2'], ['3', '1']])
  })

  test('hold nothing twice in a row when several texts come to the same', () => {
    expect(rowsOf(withDictionary(picksOf(ROWS), ['1', '1', '3']))).toEqual([['1'], [], ['1'], ['3', '1']])
  })

  test('may be the same for all', () => {
    expect(rowsOf(sameForAllRows(['a', 'b'], 2))).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })
})
