import { describe, expect, test } from 'vitest'
import { highlightedExcerpt } from './value-highlights.tsx'

const marked = (text: string, ...words: string[]) => {
  const ranges = words.map((word): [number, number] => [text.indexOf(word), text.indexOf(word) + word.length])
  const line = highlightedExcerpt(text, ranges)
  return { text: line.text, marks: line.ranges.map(([from, to]) => line.text.slice(from, to)) }
}

describe('a line of text', () => {
  test('has single spaces and its marks where the words now stand', () => {
    expect(marked('  one\n\n two   three ', 'two', 'three')).toEqual({ text: 'one two three', marks: ['two', 'three'] })
    expect(marked('plain')).toEqual({ text: 'plain', marks: [] })
  })

  test('begins near its first mark when that stands far inside', () => {
    const { text, marks } = marked(`${'word '.repeat(60)}needle and more`, 'needle')
    expect(text).toMatch(/^… word word .*needle and more$/)
    expect(text.indexOf('needle')).toBeLessThan(40)
    expect(marks).toEqual(['needle'])
  })

  test('is cut where no cell reaches', () => {
    expect(marked('a'.repeat(1000)).text).toHaveLength(300)
  })
})
