import { expect, test } from 'vitest'
import { asLanguage, directionOf, wishedLanguage } from './language.ts'

test('a browser gets the language it wants most of those there are', () => {
  expect(wishedLanguage('de-CH,de;q=0.9,en;q=0.8')).toBe('de')
  expect(wishedLanguage('fr-FR, fr;q=0.9, en;q=0.4, ar;q=0.7')).toBe('ar')
  expect(wishedLanguage('en-GB,de')).toBe('en')
})

test('what is refused, unknown or no wish at all leads to none', () => {
  for (const header of [undefined, '', '*', 'fr', 'de;q=0', ';;,,', 'de;q=much']) {
    expect(wishedLanguage(header), String(header)).toBeUndefined()
  }
})

test('only our own languages are languages', () => {
  expect(asLanguage('de')).toBe('de')
  expect([asLanguage('DE'), asLanguage('fr'), asLanguage(null), asLanguage(undefined)]).toEqual(
    Array.from({ length: 4 }, () => undefined),
  )
})

test('Arabic alone is written from right to left', () => {
  expect([directionOf('en'), directionOf('de'), directionOf('ar')]).toEqual(['ltr', 'ltr', 'rtl'])
})
