import { describe, expect, test } from 'vitest'
import { piecesOf } from './highlighted-text.tsx'

const cut = (text: string, ...ranges: [number, number][]) =>
  piecesOf(text, ranges).map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))

describe('highlighted text', () => {
  test('is split at the boundaries of matches', () => {
    expect(cut('one two three', [4, 7])).toEqual(['one ', '[two]', ' three'])
    expect(cut('one two', [0, 3], [4, 7])).toEqual(['[one]', ' ', '[two]'])
    expect(cut('one')).toEqual(['one'])
    expect(cut('')).toEqual([])
  })

  test('clips matches that exceed its length', () => {
    expect(cut('one', [1, 99])).toEqual(['o', '[ne]'])
    expect(cut('one', [7, 9])).toEqual(['one'])
    expect(cut('one', [0, 2], [1, 3]).join('').replaceAll(/[[\]]/g, '')).toBe('one')
  })
})
