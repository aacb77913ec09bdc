import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '#tests/support/documents/any-character.ts'
import { books, fileNames, id } from '#tests/conformance/query/data/library-schema.ts'
import { DEFAULT_FORM, apiValue } from '../records/named-values.ts'
import { documentOfText } from '#domain/rich-text/plain-text.ts'
import { type Field, type FieldKind, type FieldValue, hasSelectOptions, isEntered } from './field.ts'
import { checkValue, emptyValue, isEmptyValue, needsValue, parseValue, printValue } from './kinds.ts'

const oneLine = fc
  .string({ unit: anyCharacter, minLength: 1 })
  .map((text) => text.replaceAll(/[\0\r\n]/g, ''))
  .filter((text) => text.trim() !== '')
const manyLines = fc
  .string({ unit: anyCharacter, minLength: 1 })
  .map((text) => text.replaceAll(/[\0\r]/g, ''))
  .filter((text) => text.trim() !== '')
const instant = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())

/** Generates every number that a field can store: up to 15 digits with a decimal point. */
const number = fc
  .tuple(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), fc.integer({ min: -20, max: 20 }))
  .map(([digits, exponent]) => Number(`${digits}e${exponent}`))

function valuesOf(field: Field): fc.Arbitrary<FieldValue> {
  switch (field.kind) {
    case 'formula':
    case 'lookup':
    case 'count':
    case 'rollup':
      throw new Error('The values of calculated fields aren’t entered.')
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
    case 'state':
      return choice(field)
    case 'multi-select':
      return fc.uniqueArray(choice(field), { minLength: 1 })
    case 'email':
      return fc.emailAddress()
    case 'url':
      return fc.webUrl({ withFragments: true, withQueryParameters: true, validSchemes: ['http', 'https'] })
    case 'phone':
      return phone
    case 'reverse':
      // Never stored.
      return fc.constant(null)
    case 'relation':
    case 'user':
      return field.options.many ? fc.uniqueArray(pointer, { minLength: 1 }) : pointer
    case 'files':
      return fc.uniqueArray(fc.constantFrom(...fileNames.keys()), { minLength: 1 })
    case 'auto-number':
      return fc.integer({ min: 1, max: 999_999_999_999_999 })
    case 'json':
      // Excludes integers that are rejected because a double may have rounded them.
      return fc.json().filter((text) => text.trim() !== 'null' && !/\d{16}|__proto__/.test(text))
  }
}

const pointer = fc.nat(99).map((count) => id('m', count))
const choice = (field: Field) =>
  fc.constantFrom(...(hasSelectOptions(field) ? field.options.choices.map((one) => one.id) : []))
const phone = fc
  .tuple(
    fc.constantFrom('', '+', '(0', '00'),
    fc.stringMatching(/^\d{3}[\d ()./-]{0,10}\d$/),
    fc.constantFrom('', ' x12', '#3'),
  )
  .map((parts) => parts.join(''))

/** API representation of a value: JSON is decoded, other values are unchanged. */
const written = (field: Field, value: FieldValue): unknown =>
  field.kind === 'json' ? apiValue(field, value, DEFAULT_FORM) : value

const CASES = books.fields.filter(isEntered).map((field) => [field.kind, field] as const)

describe('a value', () => {
  test.each(CASES)('of kind %s is accepted in its stored form and round-trips through text', (_, field) => {
    fc.assert(
      fc.property(valuesOf(field), (value) => {
        const kept = checkValue(field, written(field, value))
        expect(kept).toMatchObject({ ok: true })
        if (!kept.ok) return
        expect(checkValue(field, apiValue(field, kept.value, DEFAULT_FORM))).toEqual(kept)
        expect(checkValue(field, written(field, kept.value))).toEqual(kept)
        expect(parseValue(field, printValue(field, kept.value))).toEqual(kept)
      }),
    )
  })

  test.each(CASES)('of kind %s is empty for empty input', (_, field) => {
    for (const nothing of field.kind === 'json' ? [null] : [null, '', []])
      expect(checkValue(field, nothing)).toEqual({ ok: true, value: emptyValue(field) })
    expect(parseValue(field, '  ')).toEqual({ ok: true, value: emptyValue(field) })
    expect(isEmptyValue(emptyValue(field))).toBe(field.kind !== 'checkbox')
  })

  test.each(CASES)('of kind %s is rejected if it has the wrong type', (_, field) => {
    const plainData = field.kind === 'json' ? [] : [{}, { type: 'nonsense' }, [1]]
    for (const stranger of [...plainData, Number.NaN, Number.POSITIVE_INFINITY, () => 1]) {
      expect(checkValue(field, stranger)).toMatchObject({ ok: false })
    }
  })
})

describe('a number', () => {
  const price = books.fields.find((field) => field.kind === 'number')

  test('with more than 15 significant digits is rejected rather than rounded', () => {
    if (!price) throw new Error('no number field')
    expect(parseValue(price, '0.1234567890123456')).toMatchObject({ ok: false, fault: { code: 'too-precise' } })
    expect(parseValue(price, '123456789012345000')).toEqual({ ok: true, value: 123456789012345000 })
    expect(checkValue(price, 0.1 + 0.2)).toMatchObject({ ok: false })
    expect(checkValue(price, -0)).toEqual({ ok: true, value: 0 })
  })
})

const fieldOf = (kind: Field['kind']): Field => {
  const field = books.fields.find((each) => each.kind === kind)
  if (!field) throw new Error(`no field of kind ${kind}`)
  return field
}

describe('an address', () => {
  test.each([
    [' Ada@Example.ORG ', 'ada@example.org'],
    ['o’brien+x@sub.exämple.org', 'o’brien+x@sub.exämple.org'],
  ])('of type email %j is stored as %j', (text, kept) => {
    expect(checkValue(fieldOf('email'), text)).toEqual({ ok: true, value: kept })
  })

  test.each([
    'ada',
    'ada@',
    '@example.org',
    'ada@example',
    'a b@example.org',
    'a@b@c.org',
    'a@b..org',
    'a@-b.org',
    '.a@b.org',
    'a@1.2.3.4',
    '<a@b.org>',
  ])('of type email can’t be %j', (text) => {
    expect(checkValue(fieldOf('email'), text)).toMatchObject({ ok: false, fault: { code: 'not-email' } })
  })

  test.each([
    ['HTTPS://Example.ORG:443/Path?Q=1#A', 'https://example.org/Path?Q=1#A'],
    ['example.org/a', 'https://example.org/a'],
    ['http://intranet:8080', 'http://intranet:8080'],
    ['http://[::1]:80/', 'http://[::1]/'],
    ['https://bücher.example', 'https://bücher.example'],
  ])('of type website %j is stored as %j', (text, kept) => {
    expect(checkValue(fieldOf('url'), text)).toEqual({ ok: true, value: kept })
  })

  test.each([
    'javascript:alert(1)',
    'JAVASCRIPT://example.org/%0aalert(1)',
    'mailto:a@b.org',
    'ftp://example.org',
    'data:text/html,x',
    'https://',
    'https://user:pw@example.org',
    'https://example.org\\@evil.org',
    'https://a b.org',
    'https://a.org/\u0000',
    'https://a.org/\u202egro',
    'https://example.org:99999',
    'https://-a.org',
    '//example.org',
    'word',
    '1.5',
    '[::1]',
  ])('of a website rejects %j', (text) => {
    expect(checkValue(fieldOf('url'), text)).toMatchObject({ ok: false, fault: { code: 'not-url' } })
  })
})

describe('a phone number', () => {
  test.each([
    ['  +43 1  234-56 78 ', '+43 1 234-56 78'],
    ['(+43) 1/2345678', '+43 1/2345678'],
    ['tel:+15550100', '+15550100'],
    ['+1 555–0100 ext. 12', '+1 555-0100 #12'],
    ['555 0100x7', '555 0100 #7'],
    ['１１２', '112'],
  ])('%j is stored as %j', (text, kept) => {
    expect(checkValue(fieldOf('phone'), text)).toEqual({ ok: true, value: kept })
  })

  test.each(['call me', '12', '+', '1+1', '0800 FLOWERS', '1'.repeat(25)])('rejects %j', (text) => {
    expect(checkValue(fieldOf('phone'), text)).toMatchObject({ ok: false, fault: { code: 'not-phone' } })
  })
})

describe('JSON', () => {
  test('can be any JSON value except null', () => {
    for (const value of ['', [], {}, false, 0, { type: 'doc' }, [null], { json: 1 }]) {
      const kept = checkValue(fieldOf('json'), value)
      expect(kept).toEqual({ ok: true, value: JSON.stringify(value) })
      expect(apiValue(fieldOf('json'), kept.ok ? kept.value : null, DEFAULT_FORM)).toEqual(value)
    }
  })

  test.each([
    ['too-long', 'x'.repeat(99_999)],
    ['too-long', 'ä'.repeat(50_000)],
    ['too-deep', JSON.parse('['.repeat(200) + ']'.repeat(200))],
    ['too-precise', JSON.parse('{"id":12345678901234567890}')],
    ['not-json', JSON.parse('{"list":[{"__proto__":1}]}')],
  ])('is rejected as %s', (code, value) => {
    expect(checkValue(fieldOf('json'), value)).toMatchObject({ ok: false, fault: { code } })
  })
})

test('a required field needs a value in new records unless it has a default value or a default formula', () => {
  const required = (kind: FieldKind): Field => ({ ...fieldOf(kind), required: true, default: null })
  expect(needsValue(required('text'))).toBe(true)
  expect(needsValue({ ...required('text'), required: false })).toBe(false)
  expect(needsValue({ ...required('text'), defaultFormula: '"New"' })).toBe(false)
  expect((['checkbox', 'state', 'auto-number'] as const).map(required).some(needsValue)).toBe(false)
})

test('a multi-select accepts option names and IDs, and keeps their order without duplicates', () => {
  const tags = fieldOf('multi-select')
  const [first, second] = hasSelectOptions(tags) ? tags.options.choices : []
  const given = [second?.name, first?.id, second?.id]
  expect(checkValue(tags, given)).toEqual({ ok: true, value: [second?.id, first?.id] })
  expect(checkValue(tags, ['new', 'nope'])).toMatchObject({ ok: false, fault: { code: 'not-choice' } })
})
