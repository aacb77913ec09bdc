import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { books, fileNames, id } from '#tests/query-conformance/library.ts'
import { documentOfText } from '../rich-text/document-of-text.ts'
import type { Field, FieldValue } from './field.ts'
import { checkValue, emptyValue, isEmptyValue, parseValue, printValue } from './kinds.ts'

const oneLine = fc
  .string({ unit: 'binary', minLength: 1 })
  .map((text) => text.replaceAll(/[\0\r\n]/g, ''))
  .filter((text) => text.trim() !== '')
const manyLines = fc
  .string({ unit: 'binary', minLength: 1 })
  .map((text) => text.replaceAll(/[\0\r]/g, ''))
  .filter((text) => text.trim() !== '')
const instant = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())

/** Fifteen digits and a place for the point: every number a field can hold. */
const number = fc
  .tuple(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), fc.integer({ min: -20, max: 20 }))
  .map(([digits, exponent]) => Number(`${digits}e${exponent}`))

/** Values as the server keeps them. */
function valuesOf(field: Field): fc.Arbitrary<FieldValue> {
  switch (field.kind) {
    case 'text':
      return oneLine
    case 'long-text':
      return manyLines
    case 'rich-text':
      return manyLines.map((text) => documentOfText(text))
    case 'number':
      return number
    case 'checkbox':
      return fc.boolean()
    case 'date':
      return instant.map((text) => text.slice(0, 10))
    case 'date-time':
      return instant
    case 'select':
      return fc.constantFrom(...field.options.choices.map((choice) => choice.id))
    case 'relation':
      return field.options.many
        ? fc.uniqueArray(
            fc.nat(99).map((count) => id('m', count)),
            { minLength: 1 },
          )
        : fc.nat(99).map((count) => id('m', count))
    case 'files':
      return fc.uniqueArray(fc.constantFrom(...fileNames.keys()), { minLength: 1 })
  }
}

const CASES = books.fields.map((field) => [field.kind, field] as const)

describe('a value', () => {
  test.each(CASES)('of kind %s is taken as it is kept, and read back from its own print', (_, field) => {
    fc.assert(
      fc.property(valuesOf(field), (value) => {
        const kept = checkValue(field, value)
        expect(kept).toMatchObject({ ok: true })
        if (!kept.ok) return
        expect(checkValue(field, kept.value)).toEqual(kept)
        expect(parseValue(field, printValue(field, kept.value))).toEqual(kept)
      }),
    )
  })

  test.each(CASES)('of kind %s is empty when nothing was said', (_, field) => {
    for (const nothing of [null, '', []])
      expect(checkValue(field, nothing)).toEqual({ ok: true, value: emptyValue(field) })
    expect(parseValue(field, '  ')).toEqual({ ok: true, value: emptyValue(field) })
    expect(isEmptyValue(emptyValue(field))).toBe(field.kind !== 'checkbox')
  })

  test.each(CASES)('of kind %s is never something of another shape', (_, field) => {
    for (const stranger of [{}, { type: 'nonsense' }, [1], Number.NaN, Number.POSITIVE_INFINITY, () => 1]) {
      expect(checkValue(field, stranger)).toMatchObject({ ok: false })
    }
  })
})

describe('a number', () => {
  const price = books.fields.find((field) => field.kind === 'number')

  test('of more than 15 significant digits is refused, never rounded', () => {
    if (!price) throw new Error('no number field')
    expect(parseValue(price, '0.1234567890123456')).toMatchObject({ ok: false, fault: { code: 'too-precise' } })
    expect(parseValue(price, '123456789012345000')).toEqual({ ok: true, value: 123456789012345000 })
    expect(checkValue(price, 0.1 + 0.2)).toMatchObject({ ok: false })
    expect(checkValue(price, -0)).toEqual({ ok: true, value: 0 })
  })
})
