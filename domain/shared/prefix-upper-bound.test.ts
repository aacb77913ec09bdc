import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareText, prefixUpperBound } from './compare-values.ts'

const texts = fc.string({ unit: 'binary', maxLength: 4 }).map((text) => text.toWellFormed())
const edges = fc.constantFrom('\u{10ffff}', '\ud7ff', '\ue000', 'a', '～', '😀', '\u{10ffff}\u{10ffff}')

describe('the text behind a prefix', () => {
  test('parts what starts with the prefix from what stands behind it', () => {
    const property = fc.property(
      fc.oneof(edges, texts),
      fc.oneof(edges, texts),
      fc.boolean(),
      (prefix, other, joins) => {
        fc.pre(prefix !== '')
        const text = joins ? prefix + other : other
        const end = prefixUpperBound(prefix)
        const isWithin = compareText(text, prefix) >= 0 && (end === undefined || compareText(text, end) < 0)
        expect(isWithin).toBe(text.startsWith(prefix))
      },
    )
    fc.assert(property, { numRuns: 2000 })
  })

  test('is none for the last texts there are', () => {
    expect(prefixUpperBound('\u{10ffff}')).toBeUndefined()
    expect(prefixUpperBound('a\u{10ffff}')).toBe('b')
  })
})
