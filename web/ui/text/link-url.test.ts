import { describe, expect, test } from 'vitest'
import { isSafeUrl, linkUrl } from './link-url.ts'

describe('a typed link', () => {
  test.each([
    ['example.com', 'https://example.com'],
    [' www.example.com/a?b=c#d ', 'https://www.example.com/a?b=c#d'],
    ['example.com:8080/path', 'https://example.com:8080/path'],
    ['localhost:3000', 'https://localhost:3000'],
    ['//cdn.example.com/x', 'https://cdn.example.com/x'],
    ['http://example.com', 'http://example.com'],
    ['HTTPS://Example.com', 'HTTPS://Example.com'],
    ['ada@example.com', 'mailto:ada@example.com'],
    ['mailto:ada@example.com', 'mailto:ada@example.com'],
    ['+44 20 7946 0958', 'tel:+442079460958'],
    ['tel:12345', 'tel:12345'],
    ['sms:12345', 'sms:12345'],
    ['münchen.example', 'https://münchen.example'],
  ])('%s becomes a link to %s', (typed, address) => {
    expect(linkUrl(typed)).toBe(address)
  })

  test.each([
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'JaVaScRiPt:alert(1)//example.com',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.com',
    'http:',
    'https://',
    'https:///path',
    'mailto:',
    '/records/1',
    '#top',
    'word',
    'two words.com',
    '',
  ])('%j is rejected', (typed) => {
    expect(linkUrl(typed)).toBeUndefined()
  })
})

describe('a stored URL', () => {
  test.each([
    ['an array', ['https://example.com']],
    ['nothing', null],
    ['an object', {}],
    ['a number', 1],
  ])('is rejected if it is %s', (_kind, address) => {
    expect(isSafeUrl(address)).toBe(false)
  })

  test('is rejected if it is longer than browsers accept', () => {
    expect(isSafeUrl(`https://example.com/${'a'.repeat(2048)}`)).toBe(false)
  })

  test('is rejected without a scheme', () => {
    expect(isSafeUrl('example.com')).toBe(false)
  })
})
