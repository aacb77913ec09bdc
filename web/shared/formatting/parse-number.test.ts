import { expect, test } from 'vitest'
import { numberSymbols, plainNumber, parseTypedNumber } from './parse-number.ts'

const english = numberSymbols('en')
const german = numberSymbols('de')
const french = numberSymbols('fr')

test('a number may be typed as the language writes it', () => {
  expect(plainNumber('1,234,567.5', english)).toBe('1234567.5')
  expect(plainNumber('1.234.567,5', german)).toBe('1234567.5')
  expect(plainNumber('1 234 567,5', french)).toBe('1234567.5')
  expect(plainNumber(' −12 ', english)).toBe('-12')
})

test('a plain point is understood in a language of commas, unless it groups', () => {
  expect(plainNumber('1.5', german)).toBe('1.5')
  expect(plainNumber('1.500', german)).toBe('1500')
})

test('what is no number stays what was typed and is refused in words', () => {
  const read = parseTypedNumber('1,5', english, {})
  expect(read).toMatchObject({ ok: false, fault: { code: 'not-number' } })
})

test('nothing typed means no number', () => {
  expect(parseTypedNumber('  ', english, { min: 1 })).toEqual({ ok: true, value: null })
})

test('the limits of the field are told at once', () => {
  expect(parseTypedNumber('11', english, { max: 10 })).toMatchObject({ ok: false, fault: { code: 'too-large' } })
})
