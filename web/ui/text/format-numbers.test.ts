import { expect, test } from 'vitest'
import { formatBytes } from './format-numbers.ts'

test.each([
  [0, '0 bytes'],
  [812, '812 bytes'],
  [1500, '1.5 kB'],
  [24_000_000, '24 MB'],
  [5_000_000, '5 MB'],
  [999_999, '1 MB'],
  [9_949, '9.9 kB'],
  [1_234_000_000, '1.2 GB'],
  [5e15, '5,000 TB'],
])('%i bytes are formatted as %s', (bytes, text) => {
  expect(formatBytes(bytes, 'en')).toBe(text)
})

test('a file size uses the number format of the user', () => {
  expect(formatBytes(1500, 'de')).toBe('1,5 kB')
})
