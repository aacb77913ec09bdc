import { expect, test } from 'vitest'
import { toLanguage, preferredLanguage } from './language.ts'

test('selects the supported language with the highest weight', () => {
  expect(preferredLanguage('de-CH,de;q=0.9,en;q=0.8')).toBe('de')
  expect(preferredLanguage('fr-FR, fr;q=0.9, en;q=0.4, de;q=0.7')).toBe('de')
  expect(preferredLanguage('en-GB,de')).toBe('en')
})

test('selects no language if all languages are rejected or unknown, or if none is given', () => {
  for (const header of [undefined, '', '*', 'fr', 'de;q=0', ';;,,', 'de;q=much']) {
    expect(preferredLanguage(header), String(header)).toBeUndefined()
  }
})

test('parses any language header of the maximum length', () => {
  for (const filling of [' ', '-', ';', ',', '.', 'q=', '\t;']) {
    for (const request of [`de${filling.repeat(16_000)}x`, `de;q=1${filling.repeat(16_000)}x`])
      expect(['de', undefined]).toContain(preferredLanguage(request))
  }
})

test('accepts only codes of supported languages', () => {
  expect(toLanguage('de')).toBe('de')
  expect([toLanguage('DE'), toLanguage('fr'), toLanguage(null), toLanguage(undefined)]).toEqual(
    Array.from({ length: 4 }, () => undefined),
  )
})
