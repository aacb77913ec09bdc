import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findFolded } from './find-folded.ts'
import { foldText } from './fold-text.ts'

const marked = (text: string, ...needles: string[]): string[] =>
  findFolded(text, needles.map(foldText)).map(([from, to]) => text.slice(from, to))

/** Folded, without what Greek does at the end of a word, where a cut may make one. */
const alone = (text: string): string => foldText(text).replaceAll('ς', 'σ')

describe('where a folded text occurs', () => {
  test('is told in the text itself, whatever folding does to its length', () => {
    expect(marked('Crème brûlée', 'brule')).toEqual(['brûlé'])
    expect(marked('Cre\u0300me', 'creme')).toEqual(['Cre\u0300me'])
    expect(marked('a ﬁne ﬁre', 'in')).toEqual(['ﬁn'])
    expect(marked('İstanbul', 'ist')).toEqual(['İst'])
    expect(marked('😀 smile 😀', '😀', 'mil')).toEqual(['😀', 'mil', '😀'])
    expect(marked('ΟΔΟΣ οδός', 'οδο')).toEqual(['ΟΔΟ', 'οδό'])
    expect(marked('１２３', '23')).toEqual(['２３'])
    expect(marked('각하', '각')).toEqual(['각'])
  })

  test('takes the marks of the last letter along', () => {
    expect(marked('e\u0301e\u0301x', 'e')).toEqual(['e\u0301e\u0301'])
    expect(marked('xe\u0301', 'xe')).toEqual(['xe\u0301'])
  })

  test('is one stretch where hits overlap or touch, and in order', () => {
    expect(findFolded('abcabc', ['bc', 'ca', 'ab'])).toEqual([[0, 6]])
    expect(findFolded('one two one', ['two', 'one'])).toEqual([
      [0, 3],
      [4, 7],
      [8, 11],
    ])
    expect(findFolded('nothing', ['x', ''])).toEqual([])
  })

  test('ends where nobody looks any more', () => {
    expect(findFolded('a '.repeat(500), ['a'])).toHaveLength(50)
    expect(findFolded('ä '.repeat(500), ['a'])).toHaveLength(50)
  })

  test('holds for whatever can be written', () => {
    const texts = fc.string({
      unit: fc.oneof(fc.constantFrom(...'aÄßﬁİΣς\u0301\u0308각😀 １'), fc.string({ unit: 'binary' })),
    })
    const property = fc.property(texts, texts, texts, (before, middle, after) => {
      const text = (before + middle + after).toWellFormed()
      const needle = foldText(middle.toWellFormed())
      const ranges = findFolded(text, [needle])
      const folded = foldText(text)
      expect(ranges.length > 0).toBe(needle !== '' && folded.includes(needle))
      for (const [from, to] of ranges) expect(alone(text.slice(from, to))).toContain(alone(needle.slice(0, 1)))
      for (const [at, [from]] of ranges.entries()) expect(from).toBeGreaterThan(ranges[at - 1]?.[1] ?? -1)
      const [first] = ranges
      if (first) expect(foldText(text.slice(0, first[0])).length).toBeLessThanOrEqual(folded.indexOf(needle))
    })
    fc.assert(property, { numRuns: 2_000 })
  })
})
