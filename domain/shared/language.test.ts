import { expect, test } from 'vitest'
import { toLanguage, preferredLanguage } from './language.ts'

test('a browser gets the language it wants most of those there are', () => {
  expect(preferredLanguage('de-CH,de;q=0.9,en;q=0.8')).toBe('de')
  expect(preferredLanguage('fr-FR, fr;q=0.9, en;q=0.4, de;q=0.7')).toBe('de')
  expect(preferredLanguage('en-GB,de')).toBe('en')
})

test('what is refused, unknown or no wish at all leads to none', () => {
  for (const header of [undefined, '', '*', 'fr', 'de;q=0', ';;,,', 'de;q=much']) {
    expect(preferredLanguage(header), String(header)).toBeUndefined()
  }
})

test('a header as long as a server takes is read in a moment, however it was made', () => {
  const begun = performance.now()
  for (const filling of [' ', '-', ';', ',', '.', 'q=', '\t;']) {
    for (const wish of [`de${filling.repeat(16_000)}x`, `de;q=1${filling.repeat(16_000)}x`]) preferredLanguage(wish)
  }
  expect(performance.now() - begun).toBeLessThan(500)
})

test('only our own languages are languages', () => {
  expect(toLanguage('de')).toBe('de')
  expect([toLanguage('DE'), toLanguage('fr'), toLanguage(null), toLanguage(undefined)]).toEqual(
    Array.from({ length: 4 }, () => undefined),
  )
})
