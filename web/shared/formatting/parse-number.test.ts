import { expect, test } from 'vitest'
import { numberSymbols, plainNumber, parseTypedNumber } from './parse-number.ts'

const english = numberSymbols('en')
const german = numberSymbols('de')
const french = numberSymbols('fr')

test("a number may use the language's format", () => {
  expect(plainNumber('1,234,567.5', english)).toBe('1234567.5')
  expect(plainNumber('1.234.567,5', german)).toBe('1234567.5')
  expect(plainNumber('1 234 567,5', french)).toBe('1234567.5')
  expect(plainNumber(' −12 ', english)).toBe('-12')
})

test('a point works in comma languages unless it groups', () => {
  expect(plainNumber('1.5', german)).toBe('1.5')
  expect(plainNumber('1.500', german)).toBe('1500')
})

test('invalid input stays and is rejected', () => {
  const read = parseTypedNumber('1,5', english, {})
  expect(read).toMatchObject({ ok: false, fault: { code: 'not-number' } })
})

test('empty input means no number', () => {
  expect(parseTypedNumber('  ', english, { min: 1 })).toEqual({ ok: true, value: null })
})

test('field limits apply at once', () => {
  expect(parseTypedNumber('11', english, { max: 10 })).toMatchObject({ ok: false, fault: { code: 'too-large' } })
})
