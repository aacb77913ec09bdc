import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { perTier } from '#tests/support/test-tier.ts'
import { anyCharacter } from '#tests/support/documents/any-character.ts'
import { safeReturnPath } from '#web/features/auth/sign-in/return-path.ts'

const HERE = 'https://records.example'

/** Known open-redirect payloads. */
const TRICKS = [
  '//elsewhere.example',
  '///elsewhere.example',
  '////elsewhere.example//',
  '/\\elsewhere.example',
  '\\/elsewhere.example',
  '\\\\elsewhere.example',
  '/\t/elsewhere.example',
  '/\n/elsewhere.example',
  '\t//elsewhere.example',
  ' //elsewhere.example',
  '\u0000//elsewhere.example',
  'https:elsewhere.example',
  'https:/elsewhere.example',
  'https://elsewhere.example',
  'https://records.example@elsewhere.example/',
  'https://records.example.elsewhere.example/',
  'https://records.example:8443/',
  'http://records.example/',
  'HTTPS://ELSEWHERE.EXAMPLE',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://records.example/x',
  'mailto:a@example.org',
  '/..//elsewhere.example',
  '/.//elsewhere.example',
  '/a/..//elsewhere.example',
  '/%2e%2e//elsewhere.example',
  '/%2e//elsewhere.example',
  '／／elsewhere.example',
  '?x=//elsewhere.example',
  '#//elsewhere.example',
  '.',
  '..',
  '',
]

/** URLs of the sign-in and sign-out pages in different spellings. */
const NO_STAY = ['/login', '/logout', '/callback', '/setup', '/forgot-password', '/reset-password', '/invitation']

const SPELLED: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `${path}/`,
  (path) => `${path}///`,
  (path) => path.toUpperCase(),
  (path) => `${path}?x=1#y`,
  (path) => `/a/..${path}`,
  (path) => `/.${path}`,
  (path) => `/${Array.from(path.slice(1), (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')}`,
]

describe('C17: the return path', () => {
  test.each(TRICKS)('can never be %j', (trick) => {
    expect(safeReturnPath(trick, HERE)).toBeUndefined()
  })

  test.each(NO_STAY.flatMap((path) => SPELLED.map((spell) => spell(path))))('never is %s', (path) => {
    expect(safeReturnPath(path, HERE)).toBeUndefined()
  })

  const strange = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 60 }),
    fc.string({ unit: fc.constantFrom('/', '\\', '.', '%2f', '%5c', '%2e', ':', '@', '?', '#', 'a', '\t', '\n', ' ') }),
    fc.tuple(fc.constantFrom(...TRICKS), fc.webPath()).map(([trick, path]) => trick + path),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.tuple(fc.webPath(), fc.webQueryParameters(), fc.webFragments()).map(([p, q, f]) => `${p}?${q}#${f}`),
  )

  test('is undefined or a page of this origin for any input', () => {
    fc.assert(
      fc.property(strange, (given) => {
        const own = safeReturnPath(given, HERE)
        if (own === undefined) return
        expect(own).toMatch(/^\/(?![/\\])/)
        const led = new URL(own, HERE)
        expect(led.origin).toBe(HERE)
        expect(led.pathname + led.search + led.hash).toBe(own)
        expect(safeReturnPath(own, HERE)).toBe(own)
      }),
      { numRuns: perTier(5000) },
    )
  })

  test('keeps its query string and fragment unchanged', () => {
    const part = fc.tuple(fc.webQueryParameters(), fc.webFragments())
    fc.assert(
      fc.property(part, ([query, fragment]) => {
        const { pathname, search, hash } = new URL(`/collections/films?${query}#${fragment}`, HERE)
        expect(safeReturnPath(`/collections/films?${query}#${fragment}`, HERE)).toBe(pathname + search + hash)
      }),
    )
  })
})
