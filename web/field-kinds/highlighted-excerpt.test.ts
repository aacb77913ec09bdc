import { describe, expect, test } from 'vitest'
import { highlightedExcerpt } from './value-highlights.tsx'

const marked = (text: string, ...words: string[]) => {
  const ranges = words.map((word): [number, number] => [text.indexOf(word), text.indexOf(word) + word.length])
  const line = highlightedExcerpt(text, ranges)
  return { text: line.text, marks: line.ranges.map(([from, to]) => line.text.slice(from, to)) }
}

describe('a search result excerpt', () => {
  test('collapses white space and adjusts match positions', () => {
    expect(marked('  one\n\n two   three ', 'two', 'three')).toEqual({ text: 'one two three', marks: ['two', 'three'] })
    expect(marked('plain')).toEqual({ text: 'plain', marks: [] })
  })

  test('starts near its first match if that is far from the start', () => {
    const { text, marks } = marked(`${'word '.repeat(60)}needle and more`, 'needle')
    expect(text).toMatch(/^… word word .*needle and more$/)
    expect(text.indexOf('needle')).toBeLessThan(40)
    expect(marks).toEqual(['needle'])
  })

  test("is truncated to a length that still exceeds any cell's width", () => {
    expect(marked('a'.repeat(1000)).text).toHaveLength(300)
  })
})
