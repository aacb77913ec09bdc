import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { perTier } from '#tests/support/test-tier.ts'
import { anyCharacter } from '#tests/support/documents/any-character.ts'
import { type KeyValue, compareKeys, compareText, prefixUpperBound } from './compare-values.ts'
import { foldAnyText, foldText } from './text.ts'

const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom('a', 'B', 'é', '～', '😀', '\ue000', '\uffff', '\u0301'), anyCharacter),
})

describe('text order', () => {
  test('equals the order of the UTF-8 bytes', () => {
    fc.assert(
      fc.property(anyText, anyText, (left, right) => {
        expect(Math.sign(compareText(left, right))).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)))
      }),
    )
  })

  test('puts emoji after the Basic Multilingual Plane', () => {
    expect(compareText('😀', '～')).toBeGreaterThan(0)
    expect(['😀', '～'].sort()).toEqual(['😀', '～'])
  })
})

describe('key order', () => {
  const key = fc.tuple(fc.option(fc.integer({ min: 0, max: 3 })), fc.option(fc.constantFrom('a', 'b', 'é')))
  const directions = fc.tuple(fc.boolean(), fc.boolean())

  test('is antisymmetric and transitive', () => {
    fc.assert(
      fc.property(key, key, key, directions, (one, two, three, isDescending) => {
        const order = (left: readonly KeyValue[], right: readonly KeyValue[]) =>
          Math.sign(compareKeys(left, right, isDescending))
        expect(order(one, two) + order(two, one)).toBe(0)
        if (order(one, two) <= 0 && order(two, three) <= 0) expect(order(one, three)).toBeLessThanOrEqual(0)
      }),
    )
  })

  test('puts empty values last in both directions', () => {
    expect(compareKeys([null], [1], [false])).toBe(1)
    expect(compareKeys([null], [1], [true])).toBe(1)
    expect(compareKeys([null], [null], [true])).toBe(0)
  })
})

describe('folding', () => {
  test('ignores case, accents and compatibility forms', () => {
    for (const [one, other] of [
      ['Äpfel', 'apfel'],
      ['İstanbul', 'istanbul'],
      ['ﬁne', 'FINE'],
      ['１２', '12'],
      ['e\u0301', 'É'],
      ['Å', 'a'],
    ] as const) {
      expect(foldText(one)).toBe(foldText(other))
    }
    expect(foldText('Straße')).not.toBe(foldText('Strasse'))
  })

  test('gives the same result for Latin letters with and without the lookup table', () => {
    const latin = fc.string({ unit: fc.oneof(fc.nat(0x2ff), fc.nat(0xffff)).map((code) => String.fromCharCode(code)) })
    fc.assert(
      fc.property(fc.oneof(latin, anyText), (text) => {
        expect(foldText(text)).toBe(foldAnyText(text))
      }),
    )
    const among = Array.from({ length: perTier(0x110000) }, (_, code) => `a${String.fromCodePoint(code)}É`)
    expect(among.filter((text) => foldText(text) !== foldAnyText(text))).toEqual([])
  })

  test('is idempotent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text))
      }),
    )
  })
})

const texts = fc.string({ unit: anyCharacter, maxLength: 4 })
const edges = fc.constantFrom('\u{10ffff}', '\ud7ff', '\ue000', 'a', '～', '😀', '\u{10ffff}\u{10ffff}')

describe('the upper bound of a prefix', () => {
  test('separates texts with the prefix from those that sort after it', () => {
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

  test('is undefined if every character is the last code point', () => {
    expect(prefixUpperBound('\u{10ffff}')).toBeUndefined()
    expect(prefixUpperBound('a\u{10ffff}')).toBe('b')
  })
})
