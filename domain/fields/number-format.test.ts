import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fail } from '#domain/shared/result.ts'
import { type Field, NUMBER_FORMATS, type NumberOptions } from './field.ts'
import { parseValue, printValue } from './kinds.ts'
import { numberRules } from './number.ts'

const fieldOf = (options: NumberOptions): Field<'number'> => ({
  id: 'f',
  name: 'f',
  label: 'F',
  required: false,
  unique: false,
  default: null,
  kind: 'number',
  options,
})

const read = (text: string, options: NumberOptions, decimal: '.' | ',' = '.'): unknown => {
  const result = parseValue(fieldOf(options), text, { decimal })
  return result.ok ? result.value : result.fault.code
}

const OPTIONS: { readonly [Format in (typeof NUMBER_FORMATS)[number]]: NumberOptions } = {
  number: {},
  currency: { format: 'currency', currency: 'EUR' },
  percent: { format: 'percent' },
  unit: { format: 'unit', unit: 'kg' },
  duration: { format: 'duration' },
  rating: { format: 'rating', min: 0, max: 5, decimals: 0 },
  progress: { format: 'progress' },
}

test('a number in each format is parsed from that format’s notation', () => {
  expect(read('1.234,50 €', OPTIONS.currency, ',')).toBe(1234.5)
  expect(read('25 %', OPTIONS.percent)).toBe(25)
  expect(read('12.5 kg', OPTIONS.unit)).toBe(12.5)
  expect(read('12,5 KG', OPTIONS.unit, ',')).toBe(12.5)
  expect(read('★★★☆☆', OPTIONS.rating)).toBe(3)
  expect(read('60%', OPTIONS.progress)).toBe(60)
  expect(read('heavy', OPTIONS.unit)).toBe('not-number')
})

test('a duration is parsed from clock notation or units, and stored in seconds', () => {
  for (const [text, seconds] of [
    ['1:30', 5400],
    ['0:00:45', 45],
    ['-1:00', -3600],
    ['2h 15m', 8100],
    ['90 min', 5400],
    ['1.5 h', 5400],
    ['45s', 45],
    ['30', 30],
  ] as const)
    expect(read(text, OPTIONS.duration), text).toBe(seconds)
  expect(read('1:75', OPTIONS.duration)).toBe('not-number')
  expect(printValue(fieldOf(OPTIONS.duration), 5400)).toBe('1:30:00')
})

test('formatted values can be parsed back', () => {
  const amount = fc
    .tuple(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), fc.integer({ min: -20, max: 20 }))
    .map(([digits, exponent]) => Number(`${digits}e${exponent}`))
  fc.assert(
    fc.property(fc.constantFrom(...NUMBER_FORMATS.filter((each) => each !== 'rating')), amount, (format, value) => {
      expect(read(printValue(fieldOf(OPTIONS[format]), value), OPTIONS[format])).toBe(value === 0 ? 0 : value)
    }),
  )
})

test('a number format requires its own options and drops those of other formats', () => {
  const context = {
    newId: () => 'new',
    knownOptions: [],
    findCollection: () => undefined,
    findRelation: () => fail([]),
    checkFormula: () => fail([]),
    checkRollup: () => fail([]),
  }
  const check = (options: NumberOptions) =>
    numberRules.checkOptions(options, context, { id: 'f', name: 'f', label: 'F' })
  expect(check({ format: 'currency' })).toMatchObject({ ok: false, fault: [{ path: 'options.currency' }] })
  expect(check({ format: 'currency', currency: 'euro' })).toMatchObject({ ok: false })
  expect(check({ format: 'unit', unit: ' ' })).toMatchObject({ ok: false, fault: [{ path: 'options.unit' }] })
  expect(check({ format: 'rating', max: 11 })).toMatchObject({ ok: false, fault: [{ path: 'options.max' }] })
  expect(check({ format: 'rating' })).toEqual({ ok: true, value: { format: 'rating', min: 0, max: 5, decimals: 0 } })
  expect(check({ format: 'unit', unit: ' kg ', currency: 'EUR' })).toEqual({
    ok: true,
    value: { format: 'unit', unit: 'kg' },
  })
  expect(check({ format: 'number', grouping: false })).toEqual({ ok: true, value: { grouping: false } })
})
