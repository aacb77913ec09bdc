import { describe, expect, test } from 'vitest'
import type { Field, FieldKind, OptionsOf } from './field.ts'
import type { TextFormat } from './field-kind.ts'
import { parseValue } from './kinds.ts'
import { unitOf } from './number-text.ts'

function fieldOf<Kind extends FieldKind>(kind: Kind, options: OptionsOf[Kind]): Field {
  // The cast is safe because callers pass options that match the kind.
  return { id: 'f', name: 'f', label: 'F', kind, required: false, unique: false, default: null, options } as Field
}

const read = (field: Field, text: string, format?: TextFormat) => {
  const parsed = parseValue(field, text, format)
  return parsed.ok ? parsed.value : parsed.fault.code
}

const NUMBER = fieldOf('number', {})
const DATE = fieldOf('date', {})
const TIME = fieldOf('date-time', {})
const CHECKBOX = fieldOf('checkbox', {})
const choices = ['Rot', 'Grün', 'Blau, hell'].map((name, at) => ({ id: `c${at}`, name, color: 'gray' as const }))
const TAGS = fieldOf('multi-select', { choices })

describe('a number', () => {
  test.each([
    ['3.946,23', 3946.23],
    ['3,946.23', 3946.23],
    ['1.234.567', 1234567],
    ['1,23,456.5', 123456.5],
    ['30,00 €', 30],
    ['€ 30', 30],
    ['-$3', -3],
    ['$ -3', -3],
    ['1 234.5', 1234.5],
    ['1 234 567,5', 1234567.5],
    ['1’234.50', 1234.5],
    ['12,5 %', 12.5],
    ['1.200,00 EUR', 1200],
    ['CHF 7.-', 7],
    ['30,-', 30],
    ['12,50-', -12.5],
    ['− 12', -12],
    ['(3,50)', -3.5],
    ['0,125', 0.125],
  ])('with one reading is taken in every language: %s', (text, value) => {
    for (const decimal of ['.', ',', undefined] as const) expect(read(NUMBER, text, { decimal })).toBe(value)
  })

  test('that is ambiguous is parsed by the language’s conventions, or with a decimal point if no language is given', () => {
    expect(read(NUMBER, '1.234', { decimal: ',' })).toBe(1234)
    expect(read(NUMBER, '1.234', { decimal: '.' })).toBe(1.234)
    expect(read(NUMBER, '1.234')).toBe(1.234)
    expect(read(NUMBER, '1,234', { decimal: ',' })).toBe(1.234)
    expect(read(NUMBER, '1,234', { decimal: '.' })).toBe(1234)
    expect(read(NUMBER, '1,234')).toBe('not-number')
  })

  test.each(['abc', '12,34,5', '1.2.3', '1 2', '12 34', '1,234.567,8', '--5', '5 €€', '€', '12 apples', '1.2,34.5'])(
    'can’t be parsed from %s',
    (text) => {
      for (const decimal of ['.', ',', undefined] as const) expect(read(NUMBER, text, { decimal })).toBe('not-number')
    },
  )

  test('with an excessive number of digits and spaces is rejected immediately', () => {
    for (const part of ['1 ', '1.', ' ', '-', '€']) expect(read(NUMBER, `${part.repeat(200_000)}x`)).toBe('not-number')
  })

  test('can have a unit', () => {
    expect(['30,00 €', '$ 3', '12 %', 'EUR 4', '5'].map(unitOf)).toEqual(['EUR', 'USD', '%', 'EUR', undefined])
  })
})

describe('a date', () => {
  test.each([
    '24.12.2026',
    '24. 12. 2026',
    '24.12.26',
    '2026-12-24',
    '2026/12/24',
    '24/12/2026',
    '12/24/2026',
    '24. Dezember 2026',
    '24 Dec 2026',
    '24-Dec-2026',
    'Dec 24, 2026',
    'December 24th, 2026',
    'Do., 24.12.2026',
    'Donnerstag, 24. Dezember 2026',
    '24.12.2026 00:00',
    '2026-12-24T00:00:00.000Z',
  ])('that is unambiguous is accepted in every language: %s', (text) => {
    for (const dayOrder of ['dmy', 'mdy', 'ymd', undefined] as const) {
      expect(read(DATE, text, { dayOrder }), dayOrder).toBe('2026-12-24')
    }
  })

  test('that is ambiguous is parsed in the language’s date order, or rejected without one', () => {
    expect(read(DATE, '3/9/2026', { dayOrder: 'dmy' })).toBe('2026-09-03')
    expect(read(DATE, '3/9/2026', { dayOrder: 'mdy' })).toBe('2026-03-09')
    expect(read(DATE, '3/9/2026')).toBe('not-date')
    expect(read(DATE, '5/5/2026')).toBe('2026-05-05')
    expect(read(DATE, '3.9.2026', { dayOrder: 'mdy' })).toBe('2026-09-03')
  })

  test('with a two-digit year is in the current or previous century', () => {
    expect([read(DATE, '1.3.68'), read(DATE, '1.3.69')]).toEqual(['2068-03-01', '1969-03-01'])
  })

  test.each([
    '31.2.2026',
    '13.13.2026',
    '24.12.',
    '24',
    'Dezember 2026',
    '5 Marathon 2026',
    'tomorrow',
    '24.12.2026 14:30',
  ])('can’t be parsed from %s', (text) => expect(read(DATE, text, { dayOrder: 'dmy' })).toBe('not-date'))
})

describe('a date and time', () => {
  const VIENNA = { timeZone: 'Europe/Vienna', dayOrder: 'dmy' } as const

  test.each([
    ['24.12.2026 14:30', '2026-12-24T13:30:00.000Z'],
    ['24.07.2026, 14:30:05 Uhr', '2026-07-24T12:30:05.000Z'],
    ['7/24/2026 2:30 PM', '2026-07-24T12:30:00.000Z'],
    ['2026-07-24 12:30:00.250', '2026-07-24T10:30:00.250Z'],
    ['2026-07-24T12:30:00Z', '2026-07-24T12:30:00.000Z'],
    ['24.12.2026', '2026-12-23T23:00:00.000Z'],
    // The first time doesn't exist because of daylight saving time; the second occurs twice.
    ['29.03.2026 02:30', '2026-03-29T01:30:00.000Z'],
    ['25.10.2026 02:30', '2026-10-25T00:30:00.000Z'],
  ])('is parsed in the given time zone: %s', (text, instant) => expect(read(TIME, text, VIENNA)).toBe(instant))

  test('is parsed as UTC if it has no time zone', () =>
    expect(read(TIME, '24.12.2026 14:30')).toBe('2026-12-24T14:30:00.000Z'))

  test.each(['24.12.2026 25:00', '14:30', '24.12.2026 14:75'])('can’t be parsed from %s', (text) =>
    expect(read(TIME, text, VIENNA)).toBe('not-date-time'),
  )
})

test('yes and no are recognized in every interface language', () => {
  for (const text of ['yes', 'Ja', 'wahr', 'TRUE', 'x', 'J', '1', '✓']) expect(read(CHECKBOX, text), text).toBe(true)
  for (const text of ['no', 'Nein', 'falsch', 'FALSE', 'n', '0']) expect(read(CHECKBOX, text), text).toBe(false)
  expect(read(CHECKBOX, 'vielleicht')).toBe('not-boolean')
})

test('options are separated by semicolons, or by commas if no option contains one', () => {
  expect(read(TAGS, 'Rot; Grün')).toEqual(['c0', 'c1'])
  expect(read(TAGS, 'rot, grün')).toEqual(['c0', 'c1'])
  expect(read(TAGS, 'Rot; Blau, hell')).toEqual(['c0', 'c2'])
  expect(read(TAGS, 'Rot,"Blau, hell"', { separator: ',' })).toEqual(['c0', 'c2'])
  expect(read(TAGS, 'Rot, Lila')).toBe('not-choice')
})
