import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { textPattern } from './text-pattern.ts'

const PATTERNS = `
  a|b  a?b*c+  [A-Z]{2}-\\d{4}  (?:ab){2,3}  (a|b|)c  \\p{Lu}+  [^a-c]*  \\u{61}b  \\ud83d\\ude00  .+  a.b  (?<name>ab)+
  (?=.*\\d)(?=.*[a-z]).*  (?!00)\\d{2,}  ^a$  a$|b  \\bab\\b.*  a\\Bb  []a|b  [^]  (?:)  (a*)*  (a|a)*b  (a+)+  ((a?){3}){2}
  a{0}b  a{2,}?b  [\\]a]+  \\x61\\/  (?:a|(?=b)b)*c  (?!(?:a|b)*c).+  \\s\\S\\w\\W\\d\\D  \\cA|\\0|\\t`
  .trim()
  .split(/\s+/)

describe('a pattern', () => {
  test('matches exactly the same texts as the regular expression', () => {
    const part = fc.constantFrom(...'abcd012AB-_ 😀ß\t\n/]'.split(/(?:)/u))
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
    for (const pattern of PATTERNS) {
      const reported = new RegExp(`^(?:${pattern})$`, 'u')
      const checker = textPattern(pattern)
      fc.assert(
        fc.property(text, (tried) => {
          expect(checker?.(tried), `${pattern} of ${JSON.stringify(tried)}`).toBe(reported.test(tried))
        }),
      )
    }
  })

  test.each([
    '(a+)+',
    '(a|a)*',
    '(a|aa)+',
    '([a-z]+)*\\d',
    '(.*a){20}',
    '(a?){200}a{200}',
    '(?=(a+)+b)a*',
    '((a+)+)+b',
    '(?:(?=(?:a|aa)+b)a)*',
    '(?!(a*)*c)(a*)*',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(\\w+\\s?)*',
  ])('%s compares at most 100,000 characters with any text', (pattern) => {
    const checker = textPattern(pattern)
    for (const text of [`${'a'.repeat(1999)}!`, 'a'.repeat(2000), 'ab'.repeat(900), 'a a'.repeat(600)]) {
      const compared = vi.spyOn(RegExp.prototype, 'test')
      checker?.(text)
      const count = compared.mock.calls.length
      compared.mockRestore()
      expect(count).toBeGreaterThan(0)
      expect(count).toBeLessThanOrEqual(100_000)
    }
  })

  test.each([
    '(a)\\1',
    '(?<x>a)\\k<x>',
    '(?<=a)b',
    '(?<!a)b',
    '(?i:a)',
    'a{3000}',
    '((a{50}){50}){50}',
    '(){99999999}',
  ])('%s is rejected because it has no time bound', (pattern) => {
    expect(textPattern(pattern)).toBeUndefined()
  })

  test('doesn’t match texts longer than the maximum', () => {
    expect(textPattern('a*')?.('a'.repeat(2001))).toBe(false)
  })
})
