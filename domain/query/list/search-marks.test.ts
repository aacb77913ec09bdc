import { describe, expect, test } from 'vitest'
import { perTier } from '#tests/support/test-tier.ts'
import { anyCharacter } from '#tests/support/documents/any-character.ts'
import type { Field, FieldKind } from '../../fields/field.ts'
import { findFolded, marksIn, snippetOf } from './search-marks.ts'
import fc from 'fast-check'
import { foldText } from '../../shared/text.ts'

const field = (name: string, kind: FieldKind): Field => {
  const plain = { id: name, name, label: name, required: false, unique: false, default: null, options: {} }
  // The cast is safe because only the field's name and kind are used.
  return { ...plain, kind } as unknown as Field
}

describe('marks', () => {
  test('are returned by field name, for text values and names of linked records and files', () => {
    const values = {
      title: 'Äpfel',
      count: 12,
      none: null,
      author: { id: 'x', title: 'Ann Apfel' },
      scans: [{ name: 'a.png' }, { name: 'apfel.png' }],
      tags: ['apfel', 'birne'],
      hidden: 'apfel',
    }
    const fields = [
      field('title', 'text'),
      field('count', 'auto-number'),
      field('none', 'text'),
      field('author', 'relation'),
      field('scans', 'files'),
      field('tags', 'multi-select'),
      field('gone', 'text'),
    ]
    expect(marksIn(values, ['apf', 'ann'], fields)).toEqual({
      title: [[0, 3]],
      author: [
        [0, 3],
        [4, 7],
      ],
      scans: [[0, 3, 1]],
      tags: [[0, 3, 0]],
    })
  })

  test('cover the digits of a phone number, regardless of separators', () => {
    const phones = { phone: '+43 (1) 234-56', other: 'call' }
    expect(marksIn(phones, ['1234', 'call'], [field('phone', 'phone')])).toEqual({ phone: [[5, 11]] })
    expect(marksIn(phones, ['+431'], [field('phone', 'phone')])).toEqual({ phone: [[0, 6]] })
    expect(marksIn(phones, ['ext'], [field('phone', 'phone')])).toEqual({})
  })
})

describe('a snippet', () => {
  test('is the whole text if it is short', () => {
    expect(snippetOf('a short\ntext', [[2, 7]])).toEqual({ text: 'a short text', marks: [[2, 7]] })
  })

  test('contains the first match with some context and its marks', () => {
    const text = `${'word '.repeat(40)}needle ${'more '.repeat(40)}needle`
    const { text: shown, marks } = snippetOf(text, [
      [200, 206],
      [text.length - 6, text.length],
    ])
    expect(shown).toMatch(/^…word .*needle more .*…$/)
    expect(shown.length).toBeLessThanOrEqual(142)
    expect(marks.map(([from, to]) => shown.slice(from, to))).toEqual(['needle'])
  })

  test('never splits a character', () => {
    const text = '😀'.repeat(200)
    expect(snippetOf(text, [[101, 103]]).text.isWellFormed()).toBe(true)
  })
})

const marked = (text: string, ...needles: string[]): string[] =>
  findFolded(text, needles.map(foldText)).map(([from, to]) => text.slice(from, to))

/** Treats σ and ς as the same letter, because cutting the text can create a word ending. */
const alone = (text: string): string => foldText(text).replaceAll('ς', 'σ')

describe('folded matches in a text', () => {
  test('are positions in the original text, even if folding changes its length', () => {
    expect(marked('Crème brûlée', 'brule')).toEqual(['brûlé'])
    expect(marked('Cre\u0300me', 'creme')).toEqual(['Cre\u0300me'])
    expect(marked('a ﬁne ﬁre', 'in')).toEqual(['ﬁn'])
    expect(marked('İstanbul', 'ist')).toEqual(['İst'])
    expect(marked('😀 smile 😀', '😀', 'mil')).toEqual(['😀', 'mil', '😀'])
    expect(marked('ΟΔΟΣ οδός', 'οδο')).toEqual(['ΟΔΟ', 'οδό'])
    expect(marked('１２３', '23')).toEqual(['２３'])
    expect(marked('각하', '각')).toEqual(['각'])
  })

  test('include combining characters of the last letter', () => {
    expect(marked('e\u0301e\u0301x', 'e')).toEqual(['e\u0301e\u0301'])
    expect(marked('xe\u0301', 'xe')).toEqual(['xe\u0301'])
  })

  test('are merged if they overlap or touch, and are returned in order', () => {
    expect(findFolded('abcabc', ['bc', 'ca', 'ab'])).toEqual([[0, 6]])
    expect(findFolded('one two one', ['two', 'one'])).toEqual([
      [0, 3],
      [4, 7],
      [8, 11],
    ])
    expect(findFolded('nothing', ['x', ''])).toEqual([])
  })

  test('are limited in number', () => {
    expect(findFolded('a '.repeat(500), ['a'])).toHaveLength(50)
    expect(findFolded('ä '.repeat(500), ['a'])).toHaveLength(50)
  })

  test('cover exactly the matches in any text', () => {
    const texts = fc.string({
      unit: fc.oneof(fc.constantFrom(...'aÄßﬁİΣς\u0301\u0308각😀 １'), fc.string({ unit: anyCharacter })),
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
    fc.assert(property, { numRuns: perTier(2_000) })
  })
})
